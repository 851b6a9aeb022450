// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

/**
 * ARC (Megiddo and Modha, FAST 2003): one list for entries seen once, one for entries seen again, and behind each the
 * names of its evicted entries. A request for such a name shifts as much room towards its list as the entry has blocks
 * or bytes, or more, by the proportion of the names.
 */
final class ArcCache extends PolicyCache {
    private static final int ONCE = 0;
    private static final int AGAIN = 1;
    private static final int GONE_ONCE = 2;
    private static final int GONE_AGAIN = 3;

    /** The target for the blocks or bytes of entries seen once. */
    private long target;

    private ArcCache(long capacity, EntryLists entries, EvictionListener departures) {
        super(capacity, entries, 2, departures);
    }

    static ArcCache ofBlocks(int capacity, EvictionListener departures) {
        return new ArcCache(capacity, EntryLists.ofBlocks(Math.multiplyExact(2, capacity), 4), departures);
    }

    static ArcCache ofBytes(long capacity, EvictionListener departures) {
        return new ArcCache(capacity, EntryLists.ofObjects(4), departures);
    }

    @Override
    void use(int slot) {
        entries.move(slot, AGAIN);
    }

    @Override
    void admit(long entry, long size) {
        int slot = entries.find(entry);
        if (slot != BlockLists.NONE) {
            comeBack(slot, size);
            return;
        }
        trimNames(size);
        makeRoom(size, false);
        entries.add(entry, size, ONCE);
    }

    @Override
    void settle() {
        makeRoom(0, false);
        trimNames(0);
    }

    @Override
    void refuse(int slot) {
        if (slot != BlockLists.NONE) {
            forget(slot);
        }
    }

    /** Brings back an entry whose name is still known. */
    private void comeBack(int slot, long size) {
        entries.resize(slot, size);
        boolean again = entries.list(slot) == GONE_AGAIN;
        if (again) {
            target = Math.max(0, target - size * Math.max(1, entries.sum(GONE_ONCE) / entries.sum(GONE_AGAIN)));
        } else {
            target = Math.min(capacity, target + size * Math.max(1, entries.sum(GONE_AGAIN) / entries.sum(GONE_ONCE)));
        }
        makeRoom(size, again);
        entries.move(slot, AGAIN);
        trimNames(0);
    }

    /**
     * Forgets names until both fit: the names of entries seen once with a new entry, and all names beside the entries.
     */
    private void trimNames(long size) {
        while (entries.sum(ONCE) + entries.sum(GONE_ONCE) + size > capacity) {
            if (entries.count(GONE_ONCE) > 0) {
                forget(entries.oldest(GONE_ONCE));
            } else {
                leave(entries.oldest(ONCE));
            }
        }
        while (entries.count(GONE_AGAIN) > 0 && held() + names() + size > 2 * capacity) {
            forget(entries.oldest(GONE_AGAIN));
        }
    }

    private long held() {
        return entries.sum(ONCE) + entries.sum(AGAIN);
    }

    private long names() {
        return entries.sum(GONE_ONCE) + entries.sum(GONE_AGAIN);
    }

    /** Turns entries into names until the new one fits. */
    private void makeRoom(long size, boolean wasSeenAgain) {
        while (held() + size > capacity) {
            long once = entries.sum(ONCE);
            boolean fromOnce =
                    entries.count(AGAIN) == 0 || (once > 0 && (once > target || (wasSeenAgain && once == target)));
            leaveName(entries.oldest(fromOnce ? ONCE : AGAIN), fromOnce ? GONE_ONCE : GONE_AGAIN);
        }
    }

    @Override
    public void clear() {
        super.clear();
        target = 0;
    }
}
