// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import java.util.Arrays;

/**
 * GDSF, Greedy-Dual-Size-Frequency (Cherkasova, HP Laboratories 98-69, 1998), with equal costs of all misses. The priority of an entry
 * is the cache's age at its last request, and its number of requests divided by its size. A new entry comes in first. Then the entry of
 * the lowest priority leaves, which may be the new one, and its priority becomes the age. Of equal ones the entry without a request for
 * longest leaves.
 */
final class GdsfCache extends PolicyCache {
    private static final int HELD = 0;

    /** The cost of a miss. A large one keeps the priorities of large entries apart. */
    private static final double COST = 1e6;

    private final SlotHeap heap = new SlotHeap();
    private long[] requests = {};
    private double age;
    private long turn;

    private GdsfCache(long capacity, EntryLists entries, EvictionListener departures) {
        super(capacity, entries, 1, departures);
    }

    static GdsfCache ofBlocks(int capacity, EvictionListener departures) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity %d; at least 1".formatted(capacity));
        }
        return new GdsfCache(capacity, EntryLists.ofBlocks(Math.addExact(capacity, 1), 1), departures);
    }

    static GdsfCache ofBytes(long capacity, EvictionListener departures) {
        return new GdsfCache(capacity, EntryLists.ofObjects(1), departures);
    }

    @Override
    void use(int slot) {
        requests[slot]++;
        heap.change(slot, priority(slot), ++turn);
    }

    @Override
    void resized(int slot) {
        heap.change(slot, priority(slot), turn);
    }

    private double priority(int slot) {
        return age + requests[slot] * COST / entries.size(slot);
    }

    @Override
    void admit(long entry, long size) {
        int slot = entries.add(entry, size, HELD);
        if (slot >= requests.length) {
            requests = Arrays.copyOf(requests, Math.max(slot + 1, Math.max(1 << 10, 2 * requests.length)));
        }
        requests[slot] = 1;
        heap.add(slot, priority(slot), ++turn);
        settle();
    }

    @Override
    void settle() {
        while (entries.sum(HELD) > capacity) {
            int lowest = heap.first();
            age = heap.priority(lowest);
            leave(lowest);
        }
    }

    @Override
    void forget(int slot) {
        heap.remove(slot);
        super.forget(slot);
    }

    @Override
    public void clear() {
        super.clear();
        heap.clear();
        age = 0;
        turn = 0;
    }
}
