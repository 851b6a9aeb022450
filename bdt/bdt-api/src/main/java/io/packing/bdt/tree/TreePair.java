// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.tree;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Two trees of a mount for a comparison entry by entry, such as a directory at a snapshot and now. Paths are relative
 * to both: {@code /a} is the entry {@code a} of both directories. It reads listings only, and holds a page of each.
 *
 * @param before a directory, such as {@code /d/.snapshot/s}
 * @param after a directory
 */
record TreePair(BdtLookups bdt, FilePath before, FilePath after) {
    /** A receiver of the differences. */
    interface Visitor {
        /**
         * Receives an entry in one of the trees only, or in both with other bytes, attributes or kind. Entries below
         * one that only one tree has do not follow.
         *
         * @param path relative to both trees
         * @param before null: the first tree does not have it
         * @param after null: the second tree does not have it
         */
        void differs(FilePath path, @Nullable FileStatus before, @Nullable FileStatus after) throws IOException;
    }

    /** Visits the differences, parents before their entries. */
    void walk(Visitor visitor) throws IOException {
        Deque<FilePath> left = new ArrayDeque<>();
        left.add(FilePath.ROOT);
        while (!left.isEmpty()) {
            FilePath directory = left.remove();
            Children old = new Children(bdt, below(before, directory));
            Children now = new Children(bdt, below(after, directory));
            while (old.peek() != null || now.peek() != null) {
                int order = Children.compare(old.peek(), now.peek());
                FileStatus was = order <= 0 ? old.next() : null;
                FileStatus is = order >= 0 ? now.next() : null;
                FileStatus either = was == null ? Objects.requireNonNull(is) : was;
                FilePath path = directory.child(either.path().name());
                if (was == null || is == null || differ(was, is)) {
                    visitor.differs(path, was, is);
                }
                if (was != null && is != null && was.isDirectory() && is.isDirectory()) {
                    left.add(path);
                }
            }
        }
    }

    /** Returns whether the entries differ, as {@link EntryComparison#differ} does. */
    boolean differ(FileStatus one, FileStatus other) throws IOException {
        return EntryComparison.differ(one, other, () -> haveSameBytes(one, other));
    }

    /** Returns whether two files share all of their bytes. It does not compare bytes that are stored twice. */
    boolean haveSameBytes(FileStatus one, FileStatus other) throws IOException {
        Optional<Boolean> known = EntryComparison.haveSameBytes(one, other);
        if (known.isPresent()) {
            return known.get();
        }
        Optional<LocatedFile> was = bdt.locate(one.path());
        Optional<LocatedFile> is = bdt.locate(other.path());
        return was.isPresent() && is.isPresent() && EntryComparison.shareBytes(was.get(), is.get());
    }

    /** Returns the path of an entry in a tree. */
    static FilePath below(FilePath tree, FilePath path) {
        if (path.isRoot()) {
            return tree;
        }
        return tree.isRoot() ? path : new FilePath(tree.value() + path.value());
    }
}
