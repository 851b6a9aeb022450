// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.util.Map;
import java.util.TreeMap;

/** A set of bytes of a file, as ranges that do not touch. Memory grows with their number. Confined to one thread. */
final class ByteRanges {
    private final TreeMap<Long, Long> ends = new TreeMap<>();

    void add(long start, long end) {
        if (start >= end) {
            return;
        }
        long from = start;
        long to = end;
        Map.Entry<Long, Long> before = ends.floorEntry(start);
        if (before != null && before.getValue() >= start) {
            from = before.getKey();
            to = Math.max(to, before.getValue());
        }
        Map.Entry<Long, Long> next = ends.ceilingEntry(from);
        while (next != null && next.getKey() <= to) {
            to = Math.max(to, next.getValue());
            ends.remove(next.getKey());
            next = ends.ceilingEntry(from);
        }
        ends.put(from, to);
    }

    /** Returns the number of bytes of a range that are in the set. */
    long overlap(long start, long end) {
        long bytes = 0L;
        Long first = ends.floorKey(start);
        for (Map.Entry<Long, Long> range :
                ends.subMap(first == null ? start : first, true, end, false).entrySet()) {
            bytes += Math.max(0, Math.min(end, range.getValue()) - Math.max(start, range.getKey()));
        }
        return bytes;
    }

    long bytes() {
        return ends.entrySet().stream()
                .mapToLong(range -> range.getValue() - range.getKey())
                .sum();
    }

    /** Returns the bytes of a range that are in either set. */
    static long overlapOfEither(ByteRanges one, ByteRanges other, long start, long end) {
        ByteRanges both = new ByteRanges();
        one.copyTo(both, start, end);
        other.copyTo(both, start, end);
        return both.bytes();
    }

    private void copyTo(ByteRanges other, long start, long end) {
        Long first = ends.floorKey(start);
        for (Map.Entry<Long, Long> range :
                ends.subMap(first == null ? start : first, true, end, false).entrySet()) {
            other.add(Math.max(start, range.getKey()), Math.min(end, range.getValue()));
        }
    }
}
