// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.cachetrace;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Belady's MIN (IBM Systems Journal 1966) for objects of one size: each object is taken in, and the one whose next request is the
 * latest leaves for it. No policy that takes each object in has more hits. It knows the whole trace, which it reads first; a request
 * takes four bytes of memory.
 */
final class OptimalCache {
    private static final int FIRST_ROOM = 1 << 16;

    private final int capacity;
    private final int[] next;
    private final TreeMap<Integer, Long> held = new TreeMap<>();
    private final Map<Long, Integer> turns = new HashMap<>();
    private int at;
    private long evicted;

    private OptimalCache(int capacity, int[] next) {
        this.capacity = capacity;
        this.next = next;
    }

    /** Reads a trace to its end. */
    static OptimalCache of(CacheRequests trace, int capacity) throws IOException {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity %d; at least 1".formatted(capacity));
        }
        int[] next = new int[FIRST_ROOM];
        Map<Long, Integer> last = new HashMap<>();
        int count = 0;
        while (trace.advance()) {
            if (count == next.length) {
                next = Arrays.copyOf(next, Math.multiplyExact(2, count));
            }
            Integer before = last.put(trace.object(), count);
            if (before != null) {
                next[before] = count;
            }
            count++;
        }
        next = Arrays.copyOf(next, count);
        // What is never requested again is later than all, in the order of its last request: the turns differ.
        for (int i = 0; i < count; i++) {
            next[i] = next[i] == 0 ? Math.addExact(count, i) : next[i];
        }
        return new OptimalCache(capacity, next);
    }

    /** Requests the next object of the trace; returns true if the cache had it. */
    boolean request(long object) {
        if (at == next.length) {
            throw new IllegalStateException("the trace has grown since it was read");
        }
        Integer turn = turns.remove(object);
        boolean hit = turn != null;
        if (hit) {
            held.remove(turn);
        } else if (held.size() == capacity) {
            turns.remove(held.pollLastEntry().getValue());
            evicted++;
        }
        held.put(next[at], object);
        turns.put(object, next[at]);
        at++;
        return hit;
    }

    int size() {
        return held.size();
    }

    /** Counts the objects that have left. */
    long evicted() {
        return evicted;
    }
}
