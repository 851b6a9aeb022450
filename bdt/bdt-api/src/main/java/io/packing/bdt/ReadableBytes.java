// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.util.List;

/**
 * The bytes of a version that a user may read by the path of a file, since the file has them.
 *
 * @param from offset in the version from which on the answer holds
 * @param until offset before which it holds
 * @param ranges by offset, with gaps between them
 */
public record ReadableBytes(long from, long until, List<Range> ranges) {
    /** The most ranges of one answer; a worker that needs later ones asks from their offset on. */
    public static final int MOST_RANGES = 1_000;
    /** All bytes, for any length. */
    public static final ReadableBytes ALL = new ReadableBytes(0, Long.MAX_VALUE, List.of(new Range(0, Long.MAX_VALUE)));

    /**
     * A range of a version's bytes.
     *
     * @param from offset of the first byte
     * @param to the offset behind the last byte
     */
    public record Range(long from, long to) {
        public Range {
            if (from < 0 || to <= from) {
                throw new IllegalArgumentException("no range from %d to %d".formatted(from, to));
            }
        }
    }

    public ReadableBytes {
        if (from < 0 || until < from || ranges.size() > MOST_RANGES) {
            throw new IllegalArgumentException(
                    "%d ranges of the bytes from %d to %d".formatted(ranges.size(), from, until));
        }
        ranges = List.copyOf(ranges);
    }

    /** Returns whether the answer covers an offset. */
    public boolean tellsOf(long offset) {
        return offset >= from && offset < until;
    }

    /** Returns the end of the readable bytes that begin at an offset; the offset itself when its byte is not readable. */
    public long endFrom(long offset) {
        for (Range each : ranges) {
            if (each.from() <= offset && offset < each.to()) {
                return each.to();
            }
        }
        return offset;
    }
}
