// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

/** A cache that evicts the entries without a request for longest. */
final class LruCache extends PolicyCache {
    private static final int QUEUE = 0;

    private LruCache(long capacity, EntryLists entries, EvictionListener departures) {
        super(capacity, entries, 1, departures);
    }

    static LruCache ofBlocks(int capacity, EvictionListener departures) {
        return new LruCache(capacity, EntryLists.ofBlocks(capacity, 1), departures);
    }

    static LruCache ofBytes(long capacity, EvictionListener departures) {
        return new LruCache(capacity, EntryLists.ofObjects(1), departures);
    }

    @Override
    void use(int slot) {
        entries.move(slot, QUEUE);
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
            leave(entries.oldest(QUEUE));
        }
    }
}
