// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.erofs;

import io.packing.fuse.Mode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The data of a directory: blocks of entries, each entry's name in the block of the entry. Entries are in the order of their names' bytes.
 *
 * <pre>
 * entry, 12 bytes   0:8 number of the inode's position   8:10 offset of the name in the block   10:11 type   11:12 0
 * </pre>
 *
 * The length is known before the inodes of the entries have places. Confined to one thread.
 */
final class DirectoryBlocks {
    private static final int ENTRY = 12;
    private static final byte[] SELF = {'.'};
    private static final byte[] PARENT = {'.', '.'};

    private final List<byte[]> names = new ArrayList<>();
    /** For each block, the index of its first name. */
    private final List<Integer> starts = new ArrayList<>();

    private final int length;
    private Inodes inodes = name -> {
        throw new IllegalStateException("the entries of the directory have no places yet");
    };

    /** The inodes by the names in a directory. */
    interface Inodes {
        ErofsInode of(byte[] name);
    }

    DirectoryBlocks(ImageDirectory directory) {
        names.add(SELF);
        names.add(PARENT);
        names.addAll(directory.entries().keySet());
        names.sort(Arrays::compareUnsigned);
        int used = MetadataImage.BLOCK;
        for (int i = 0; i < names.size(); i++) {
            int needed = ENTRY + names.get(i).length;
            if (used + needed > MetadataImage.BLOCK) {
                starts.add(i);
                used = 0;
            }
            used += needed;
        }
        this.length = (starts.size() - 1) * MetadataImage.BLOCK + used;
    }

    /** Returns the bytes of all blocks, of which the last one has no padding. */
    int length() {
        return length;
    }

    /** Tells where the entries are. */
    void lead(ErofsInode self, ErofsInode parent, Inodes others) {
        inodes = name -> name == SELF ? self : name == PARENT ? parent : others.of(name);
    }

    byte[] encode() {
        ByteBuffer out = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < starts.size(); i++) {
            int end = i + 1 < starts.size() ? starts.get(i + 1) : names.size();
            out.position(i * MetadataImage.BLOCK);
            block(out, names.subList(starts.get(i), end));
        }
        return out.array();
    }

    private void block(ByteBuffer out, List<byte[]> block) {
        int offset = ENTRY * block.size();
        for (byte[] name : block) {
            ErofsInode to = inodes.of(name);
            out.putLong(to.nid())
                    .putShort((short) offset)
                    .put((byte) type(to.node.type()))
                    .put((byte) 0);
            offset += name.length;
        }
        block.forEach(out::put);
    }

    private static int type(int mode) {
        return switch (mode) {
            case Mode.REGULAR -> 1;
            case Mode.DIRECTORY -> 2;
            case Mode.CHARACTER_DEVICE -> 3;
            case Mode.BLOCK_DEVICE -> 4;
            case Mode.FIFO -> 5;
            case Mode.SOCKET -> 6;
            case Mode.SYMLINK -> 7;
            default -> throw new IllegalArgumentException("no type of a file: %o".formatted(mode));
        };
    }
}
