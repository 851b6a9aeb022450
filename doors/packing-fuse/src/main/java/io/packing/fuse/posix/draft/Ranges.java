// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.draft;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** A set of byte offsets, as ranges that neither overlap nor touch. Guarded by the lock of its file. */
public final class Ranges {
    /** The bytes from a start to an end (exclusive). */
    public record Range(long start, long end) {
        public long length() {
            return end - start;
        }
    }

    private final NavigableMap<Long, Long> ends = new TreeMap<>();
    private long total;

    boolean isEmpty() {
        return ends.isEmpty();
    }

    /** Returns the number of offsets in the set. */
    public long total() {
        return total;
    }

    void clear() {
        ends.clear();
        total = 0;
    }

    public void add(long start, long end) {
        if (start >= end) {
            return;
        }
        long from = start;
        long to = end;
        Map.Entry<Long, Long> before = ends.floorEntry(start);
        if (before != null && before.getValue() >= start) {
            from = before.getKey();
            to = Math.max(to, before.getValue());
            drop(before.getKey());
        }
        for (Map.Entry<Long, Long> next = ends.ceilingEntry(from);
                next != null && next.getKey() <= to;
                next = ends.ceilingEntry(from)) {
            to = Math.max(to, next.getValue());
            drop(next.getKey());
        }
        ends.put(from, to);
        total += to - from;
    }

    void remove(long start, long end) {
        if (start >= end) {
            return;
        }
        Map.Entry<Long, Long> at = ends.lowerEntry(start);
        if (at == null || at.getValue() <= start) {
            at = ends.ceilingEntry(start);
        }
        while (at != null && at.getKey() < end) {
            long from = at.getKey();
            long to = at.getValue();
            drop(from);
            keep(from, Math.min(to, start));
            keep(Math.max(from, end), to);
            at = ends.ceilingEntry(Math.max(start, from + 1));
        }
    }

    private void drop(long start) {
        Long end = ends.remove(start);
        if (end != null) {
            total -= end - start;
        }
    }

    private void keep(long start, long end) {
        if (start < end) {
            ends.put(start, end);
            total += end - start;
        }
    }

    /** Returns the end of the range with an offset; the offset itself without one. */
    public long coveredFrom(long offset) {
        Map.Entry<Long, Long> at = ends.floorEntry(offset);
        return at != null && at.getValue() > offset ? at.getValue() : offset;
    }

    /** Returns the first offset in a range, at or after another one; {@link Long#MAX_VALUE} without one. */
    public long nextFrom(long offset) {
        if (coveredFrom(offset) > offset) {
            return offset;
        }
        Long next = ends.ceilingKey(offset);
        return next == null ? Long.MAX_VALUE : next;
    }

    /** Returns whether the set has all of a range. */
    boolean covers(long start, long end) {
        return start >= end || coveredFrom(start) >= end;
    }

    List<Range> all() {
        List<Range> all = new ArrayList<>();
        ends.forEach((start, end) -> all.add(new Range(start, end)));
        return all;
    }
}
