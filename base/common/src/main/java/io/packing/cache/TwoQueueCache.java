// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

/**
 * 2Q, the full version (Johnson and Shasha, VLDB 1994, §4). New entries enter a queue, first in, first out, with a target of a quarter
 * of the cache. The names of those that leave it are kept for half as many blocks or bytes as the cache holds. An entry whose name is
 * known enters the main list, least recently used first out. A request for an entry of the queue does not move it.
 */
final class TwoQueueCache extends PolicyCache {
    private static final int IN = 0;
    private static final int MAIN = 1;
    private static final int OUT = 2;

    /** One part of so many is the queue's target. */
    private static final int IN_PART = 4;

    private static final int OUT_PART = 2;

    private final long in;
    private final long out;

    private TwoQueueCache(long capacity, EntryLists entries, EvictionListener departures) {
        super(capacity, entries, 2, departures);
        this.in = capacity / IN_PART;
        this.out = capacity / OUT_PART;
    }

    static TwoQueueCache ofBlocks(int capacity, EvictionListener departures) {
        EntryLists entries = EntryLists.ofBlocks(Math.addExact(capacity, capacity / OUT_PART), 3);
        return new TwoQueueCache(capacity, entries, departures);
    }

    static TwoQueueCache ofBytes(long capacity, EvictionListener departures) {
        return new TwoQueueCache(capacity, EntryLists.ofObjects(3), departures);
    }

    @Override
    void use(int slot) {
        if (entries.list(slot) == MAIN) {
            entries.move(slot, MAIN);
        }
    }

    @Override
    void admit(long entry, long size) {
        int slot = entries.find(entry);
        if (slot != BlockLists.NONE) {
            // Its name must not be the one that goes for the names of others.
            forget(slot);
        }
        makeRoom(size);
        entries.add(entry, size, slot == BlockLists.NONE ? IN : MAIN);
    }

    @Override
    void settle() {
        makeRoom(0);
    }

    private void makeRoom(long size) {
        while (entries.sum(IN) + entries.sum(MAIN) + size > capacity) {
            if (entries.sum(IN) > in || entries.count(MAIN) == 0) {
                leaveName(entries.oldest(IN), OUT);
                while (entries.sum(OUT) > out) {
                    forget(entries.oldest(OUT));
                }
            } else {
                leave(entries.oldest(MAIN));
            }
        }
    }
}
