// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.tree;

import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.FileAttributes;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Comparisons of entries of two trees: by identity, by attributes, and by the contents that their bytes come from. It reads no byte. */
public final class EntryComparison {
    private EntryComparison() {}

    /** A question whether two files have the same bytes. */
    public interface SameBytes {
        boolean ask() throws IOException;
    }

    /**
     * Returns whether the entries differ in bytes, attributes or kind. A directory's time does not count, and a clone
     * equals its origin.
     *
     * @param bytes asked only if the answer depends on it
     */
    public static boolean differ(FileStatus one, FileStatus other, SameBytes bytes) throws IOException {
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
                || (!one.version().equals(other.version()) && !bytes.ask());
    }

    /** Returns whether the entries have other extended attributes. */
    public static boolean differInExtended(FileStatus one, FileStatus other) {
        return one.extras().extended() != other.extras().extended();
    }

    /** Returns whether two files have the same bytes; empty: it depends on where the bytes are. */
    public static Optional<Boolean> haveSameBytes(FileStatus one, FileStatus other) {
        if (one.version().equals(other.version())) {
            return Optional.of(true);
        }
        long length = one.attributes().length();
        // Where a file ends in a hole, the spans do not give its length.
        boolean isKnown = length != other.attributes().length() || length == 0;
        return isKnown ? Optional.of(length == other.attributes().length()) : Optional.empty();
    }

    /** Returns whether two files of equal lengths have their bytes from the same ranges of contents. */
    public static boolean shareBytes(LocatedFile one, LocatedFile other) {
        return spans(one).equals(spans(other));
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
}
