// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import java.util.Arrays;

/**
 * Hyperbolic caching (Blankstein, Sen and Freedman, USENIX ATC 2017) with equal costs of all misses. The priority of an entry is its
 * number of requests in the cache, divided by the time since it came in, counted in requests, and by its size. The lowest of 64 drawn
 * entries leaves; a cache of fewer entries compares all. Of equal ones the entry that came in first leaves.
 */
final class HyperbolicCache extends PolicyCache {
    static final int DRAWN = 64;

    private static final int HELD = 0;

    private final SlotSample sample = new SlotSample();
    private int[] requests = {};
    private long[] entered = {};
    /** The number of requests so far. */
    private long turn;

    private HyperbolicCache(long capacity, EntryLists entries, EvictionListener departures) {
        super(capacity, entries, 1, departures);
    }

    static HyperbolicCache ofBlocks(int capacity, EvictionListener departures) {
        return new HyperbolicCache(capacity, EntryLists.ofBlocks(capacity, 1), departures);
    }

    static HyperbolicCache ofBytes(long capacity, EvictionListener departures) {
        return new HyperbolicCache(capacity, EntryLists.ofObjects(1), departures);
    }

    @Override
    void use(int slot) {
        turn++;
        requests[slot]++;
    }

    @Override
    void admit(long entry, long size) {
        turn++;
        makeRoom(size);
        int slot = entries.add(entry, size, HELD);
        if (slot >= requests.length) {
            int room = Math.max(slot + 1, Math.max(1 << 10, 2 * requests.length));
            requests = Arrays.copyOf(requests, room);
            entered = Arrays.copyOf(entered, room);
        }
        requests[slot] = 1;
        entered[slot] = turn;
        sample.add(slot);
    }

    @Override
    void settle() {
        makeRoom(0);
    }

    private void makeRoom(long size) {
        while (entries.sum(HELD) + size > capacity) {
            leave(lowest());
        }
    }

    private int lowest() {
        int lowest = sample.candidate(0, DRAWN);
        for (int i = 1; i < sample.candidates(DRAWN); i++) {
            int other = sample.candidate(i, DRAWN);
            int order = Double.compare(priority(other), priority(lowest));
            if (order < 0 || (order == 0 && entered[other] < entered[lowest])) {
                lowest = other;
            }
        }
        return lowest;
    }

    /** Returns the priority of an entry; one that came in with this request has waited for one. */
    private double priority(int slot) {
        return requests[slot] / (double) Math.max(1, turn - entered[slot]) / entries.size(slot);
    }

    @Override
    void forget(int slot) {
        sample.remove(slot);
        super.forget(slot);
    }

    @Override
    public void clear() {
        super.clear();
        sample.clear();
        turn = 0;
    }
}
