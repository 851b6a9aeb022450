// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.erofs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The places of all inodes of a tree: the entries of a directory are neighbours, level by level. Confined to one thread. */
final class ErofsLayout {
    private final List<ErofsInode> inodes = new ArrayList<>();
    private final IdentityHashMap<ImageNode, ErofsInode> byNode = new IdentityHashMap<>();
    private long end;

    ErofsLayout(ImageDirectory root) {
        Deque<ImageDirectory> open = new ArrayDeque<>();
        ErofsInode top = place(root);
        // Its own entry, and that of its parent, which is itself.
        top.link();
        top.link();
        lead(root, top, top);
        open.add(root);
        for (ImageDirectory directory = open.poll(); directory != null; directory = open.poll()) {
            for (ImageNode child : directory.entries().values()) {
                add(child, known(directory), open);
            }
        }
    }

    private void add(ImageNode child, ErofsInode parent, Deque<ImageDirectory> open) {
        ErofsInode inode = byNode.get(child);
        if (inode == null) {
            inode = place(child);
            if (child instanceof ImageDirectory directory) {
                lead(directory, inode, parent);
                open.add(directory);
                inode.link();
                parent.link();
            }
        } else if (inode.isDirectory()) {
            throw new IllegalArgumentException("a directory has two names");
        }
        inode.link();
    }

    private ErofsInode place(ImageNode node) {
        @Nullable
        DirectoryBlocks blocks = node instanceof ImageDirectory directory ? new DirectoryBlocks(directory) : null;
        ErofsInode inode = new ErofsInode(node, blocks, end, inodes.size() + 1);
        end = inode.position + inode.length();
        inodes.add(inode);
        byNode.put(node, inode);
        return inode;
    }

    private void lead(ImageDirectory directory, ErofsInode self, ErofsInode parent) {
        if (self.directory != null) {
            self.directory.lead(self, parent, name -> known(directory.entries().get(name)));
        }
    }

    private ErofsInode known(@Nullable ImageNode node) {
        ErofsInode inode = byNode.get(node);
        if (inode == null) {
            throw new IllegalStateException("the entry of a directory has no place");
        }
        return inode;
    }

    /** Returns all inodes by their positions; the first one is the root's. */
    List<ErofsInode> inodes() {
        return inodes;
    }

    /** Returns the length of all inodes with what follows them. */
    long length() {
        return end;
    }
}
