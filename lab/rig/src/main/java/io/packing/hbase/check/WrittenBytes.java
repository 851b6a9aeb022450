// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase.check;

import java.util.Map;
import java.util.TreeMap;

/** The bytes of a file that writes account for. HDFS appends, so a byte that is written twice is as wrong as a hole. */
final class WrittenBytes {
    /** The ends of ranges by their starts. The ranges do not touch. */
    private final TreeMap<Long, Long> ranges = new TreeMap<>();

    private long twice;

    /** Adds a range; the order of ranges does not matter. */
    void add(long start, long end) {
        long from = start;
        long to = end;
        for (Map.Entry<Long, Long> touching = ranges.floorEntry(to);
                touching != null && touching.getValue() >= from;
                touching = ranges.floorEntry(to)) {
            twice += Math.max(0, Math.min(end, touching.getValue()) - Math.max(start, touching.getKey()));
            from = Math.min(from, touching.getKey());
            to = Math.max(to, touching.getValue());
            ranges.remove(touching.getKey());
        }
        if (to > from) {
            ranges.put(from, to);
        }
    }

    void addAll(WrittenBytes other) {
        other.ranges.forEach(this::add);
        twice += other.twice;
    }

    /** Returns the end of the last byte. */
    long length() {
        return ranges.isEmpty() ? 0 : ranges.lastEntry().getValue();
    }

    /** Returns the number of holes before the end, plus one if a range was written more than once. */
    long discontinuities() {
        long holes = ranges.isEmpty() ? 0 : ranges.size() - 1 + (ranges.firstKey() > 0 ? 1 : 0);
        return holes + (twice > 0 ? 1 : 0);
    }

    @Override
    public String toString() {
        return Map.copyOf(ranges).toString();
    }
}
