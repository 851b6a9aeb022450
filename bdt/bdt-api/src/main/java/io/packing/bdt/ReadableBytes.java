package io.packing.bdt;

import java.util.List;

/**
 * Bytes of a version that a user may read by the path of a file: those that the file has.
 *
 * @param from the answer tells of the bytes from this offset in the version on
 * @param until and of those before this one
 * @param ranges by offset, none of which touch
 */
public record ReadableBytes(long from, long until, List<Range> ranges) {
    /** Ranges in one answer at most; a worker that needs later ones asks from their offset on. */
    public static final int MOST_RANGES = 1_000;
    /** All bytes, however many there are. */
    public static final ReadableBytes ALL = new ReadableBytes(0, Long.MAX_VALUE, List.of(new Range(0, Long.MAX_VALUE)));

    /**
     * Bytes of a version.
     *
     * @param from offset of the first one
     * @param to the offset behind the last one
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

    /** Returns whether this answer knows if the byte at an offset is readable. */
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
