// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

/**
 * SIEVE (Zhang et al., NSDI 2024): one queue in order of arrival, and a hand that walks from old to young. It spares
 * and unmarks the entries with a request since its last visit, and evicts those without until the new one fits.
 */
final class SieveCache extends PolicyCache {
    private static final int QUEUE = 0;

    private int hand = BlockLists.NONE;

    private SieveCache(long capacity, EntryLists entries, EvictionListener departures) {
        super(capacity, entries, 1, departures);
    }

    static SieveCache ofBlocks(int capacity, EvictionListener departures) {
        return new SieveCache(capacity, EntryLists.ofBlocks(capacity, 1), departures);
    }

    static SieveCache ofBytes(long capacity, EvictionListener departures) {
        return new SieveCache(capacity, EntryLists.ofObjects(1), departures);
    }

    @Override
    void use(int slot) {
        entries.mark(slot, 1);
    }

    @Override
    void admit(long entry, long size) {
        makeRoom(size);
        entries.add(entry, size, QUEUE);
    }

    @Override
    void settle() {
        makeRoom(0);
    }

    private void makeRoom(long size) {
        while (entries.sum(QUEUE) + size > capacity) {
            evict();
        }
    }

    private void evict() {
        int at = hand == BlockLists.NONE ? entries.oldest(QUEUE) : hand;
        while (entries.mark(at) != 0) {
            entries.mark(at, 0);
            int newer = entries.newer(at);
            at = newer == BlockLists.NONE ? entries.oldest(QUEUE) : newer;
        }
        hand = at;
        leave(at);
    }

    /** Moves the hand on when the cache forgets the entry below it. */
    @Override
    void forget(int slot) {
        if (slot == hand) {
            hand = entries.newer(slot);
        }
        super.forget(slot);
    }

    @Override
    public void clear() {
        super.clear();
        hand = BlockLists.NONE;
    }
}
