// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.util.ArrayList;
import java.util.List;

/**
 * An extent of which a new blob takes the live bytes.
 *
 * @param extent as it is in the old blob
 * @param ranges of the file's bytes that are live, by ascending offset; none: all bytes of the extent, as they are stored
 */
public record LiveExtent(Extent extent, List<Range> ranges) {
    /**
     * A range of a file's bytes.
     *
     * @param start offset of the first byte
     * @param end offset behind the last byte
     */
    public record Range(long start, long end) {
        public Range {
            if (start < 0 || end <= start) {
                throw new IllegalArgumentException("no range from %d to %d".formatted(start, end));
            }
        }

        public int length() {
            return Math.toIntExact(end - start);
        }
    }

    public LiveExtent {
        ranges = List.copyOf(ranges);
        long from = extent.fileOffset();
        for (Range each : ranges) {
            if (each.start() < from || each.end() > extent.fileEnd()) {
                throw new IllegalArgumentException("range %d to %d of an extent from %d to %d, behind %d"
                        .formatted(each.start(), each.end(), extent.fileOffset(), extent.fileEnd(), from));
            }
            from = each.end();
        }
        if (!ranges.isEmpty() && extent.codec() == Codec.ADOPTED) {
            throw new IllegalArgumentException("the name of an object has no ranges");
        }
    }

    /** Makes a live extent of which all bytes are live. */
    public LiveExtent(Extent extent) {
        this(extent, List.of());
    }

    /** Returns true if only ranges of the extent are live. */
    public boolean isCut() {
        return !ranges.isEmpty();
    }

    /** Returns the live bytes of the file. */
    public long liveBytes() {
        return isCut() ? ranges.stream().mapToLong(Range::length).sum() : extent.length();
    }

    /** Returns the stored bytes that its copy takes, as an estimate where the extent is compressed. */
    public long storedBytes() {
        return isCut()
                ? (extent.storedLength() * liveBytes() + extent.length() - 1) / extent.length()
                : extent.storedLength();
    }

    /**
     * Returns an extent without the bytes that no file has.
     *
     * @param used ranges of the file that are used, ascending and apart from each other
     * @param leastCut the fewest bytes that are worth a cut; ranges with a shorter gap between them become one
     */
    public static LiveExtent of(Extent extent, Iterable<Range> used, long leastCut) {
        if (extent.codec() == Codec.ADOPTED) {
            return new LiveExtent(extent);
        }
        List<Range> ranges = new ArrayList<>();
        for (Range each : used) {
            long start = Math.max(each.start(), extent.fileOffset());
            long end = Math.min(each.end(), extent.fileEnd());
            if (start >= end) {
                continue;
            }
            int last = ranges.size() - 1;
            if (last >= 0 && start - ranges.get(last).end() < leastCut) {
                ranges.set(last, new Range(ranges.get(last).start(), end));
            } else {
                ranges.add(new Range(start, end));
            }
        }
        LiveExtent cut = new LiveExtent(extent, ranges);
        return extent.length() - cut.liveBytes() < leastCut ? new LiveExtent(extent) : cut;
    }
}
