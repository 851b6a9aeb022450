// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.tree;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
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

    /**
     * Returns whether the entries differ in bytes, attributes or kind. A directory's time does not count, and a clone
     * equals its origin.
     */
    boolean differ(FileStatus one, FileStatus other) throws IOException {
        FileAttributes was = one.attributes();
        FileAttributes is = other.attributes();
        if (one.isDirectory() || other.isDirectory()) {
            return one.isDirectory() != other.isDirectory()
                    || differInExtended(one, other)
                    || !was.owner().equals(is.owner())
                    || !was.group().equals(is.group())
                    || was.mode() != is.mode();
        }
        boolean otherTime = one.extras().nanos() != other.extras().nanos();
        return !was.equals(is)
                || otherTime
                || differInExtended(one, other)
                || (!one.version().equals(other.version()) && !haveSameBytes(one, other));
    }

    static boolean differInExtended(FileStatus one, FileStatus other) {
        return one.extras().extended() != other.extras().extended();
    }

    /** Returns whether two files share all of their bytes. It does not compare bytes that are stored twice. */
    boolean haveSameBytes(FileStatus one, FileStatus other) throws IOException {
        if (one.version().equals(other.version())) {
            return true;
        }
        long length = one.attributes().length();
        // Where a file ends in a hole, the spans do not give its length.
        if (length != other.attributes().length() || length == 0) {
            return length == other.attributes().length();
        }
        Optional<List<SourceRange>> was = bdt.locate(one.path()).map(TreePair::spans);
        return was.isPresent() && was.equals(bdt.locate(other.path()).map(TreePair::spans));
    }

    /** The source of some bytes of a file. */
    private record SourceRange(long offset, long length, FileVersion content, long contentOffset) {}

    private static List<SourceRange> spans(LocatedFile file) {
        if (file.placement() instanceof Placement.Mapped mapped) {
            return mapped.pieces().stream()
                    .map(piece -> new SourceRange(
                            piece.offset(),
                            piece.length(),
                            piece.content().status().version(),
                            piece.contentOffset()))
                    .toList();
        }
        FileStatus status = file.status();
        return List.of(new SourceRange(0, status.attributes().length(), status.version(), 0));
    }

    /** Returns the path of an entry in a tree. */
    static FilePath below(FilePath tree, FilePath path) {
        if (path.isRoot()) {
            return tree;
        }
        return tree.isRoot() ? path : new FilePath(tree.value() + path.value());
    }
}
