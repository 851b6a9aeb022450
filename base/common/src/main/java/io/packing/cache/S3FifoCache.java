// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

/**
 * S3-FIFO (Yang et al., "FIFO Queues are All You Need for Cache Eviction", SOSP 2023, Algorithm 1). New entries enter a
 * small queue of a tenth of the cache. Those requested more than once there go on to the main queue; the others leave,
 * and the cache keeps the names of nine tenths as many blocks or bytes as it holds. An entry whose name is known enters
 * the main queue, where entries requested since their last turn get another. As in libCacheSim an object larger than the
 * small queue does not enter it.
 */
final class S3FifoCache extends PolicyCache {
    private static final int SMALL = 0;
    private static final int MAIN = 1;
    private static final int GHOST = 2;

    /** The largest count of requests, which the paper keeps in two bits. */
    private static final int MOST_REQUESTS = 3;

    private static final int SMALL_SHARE = 10;

    private final long small;
    private final long main;
    private final long ghosts;

    private S3FifoCache(long capacity, long ghosts, EntryLists entries, EvictionListener departures) {
        super(capacity, entries, 2, departures);
        this.small = Math.max(1, capacity / SMALL_SHARE);
        this.main = capacity - small;
        this.ghosts = ghosts;
    }

    static S3FifoCache ofBlocks(int capacity, EvictionListener departures) {
        int ghosts = (int) (9L * capacity / SMALL_SHARE);
        return new S3FifoCache(capacity, ghosts, EntryLists.ofBlocks(Math.addExact(capacity, ghosts), 3), departures);
    }

    static S3FifoCache ofBytes(long capacity, EvictionListener departures) {
        return new S3FifoCache(capacity, capacity - capacity / SMALL_SHARE, EntryLists.ofObjects(3), departures);
    }

    @Override
    long largest() {
        return small;
    }

    @Override
    void use(int slot) {
        entries.mark(slot, Math.min(MOST_REQUESTS, entries.mark(slot) + 1));
    }

    @Override
    void admit(long entry, long size) {
        makeRoom(size);
        // Look only now, since making room may push the name out.
        int slot = entries.find(entry);
        if (slot == BlockLists.NONE) {
            entries.add(entry, size, SMALL);
        } else {
            entries.resize(slot, size);
            entries.move(slot, MAIN);
        }
    }

    @Override
    void settle() {
        makeRoom(0);
    }

    private void makeRoom(long size) {
        while (entries.sum(SMALL) + entries.sum(MAIN) + size > capacity) {
            if (entries.sum(SMALL) >= small || entries.count(MAIN) == 0) {
                evictFromSmall();
            } else {
                evictFromMain();
            }
        }
    }

    private void evictFromSmall() {
        for (int oldest = entries.oldest(SMALL); oldest != BlockLists.NONE; oldest = entries.oldest(SMALL)) {
            int requests = entries.mark(oldest);
            entries.mark(oldest, 0);
            if (requests > 1) {
                entries.move(oldest, MAIN);
                while (entries.sum(MAIN) > main) {
                    evictFromMain();
                }
            } else {
                remember(oldest);
                return;
            }
        }
    }

    private void remember(int slot) {
        leaveName(slot, GHOST);
        while (entries.sum(GHOST) > ghosts) {
            forget(entries.oldest(GHOST));
        }
    }

    private void evictFromMain() {
        int oldest = entries.oldest(MAIN);
        while (entries.mark(oldest) > 0) {
            entries.mark(oldest, entries.mark(oldest) - 1);
            entries.move(oldest, MAIN);
            oldest = entries.oldest(MAIN);
        }
        leave(oldest);
    }
}
