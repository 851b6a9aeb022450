// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

/**
 * The body that the policies share, for blocks of one size and for objects of any size: a block is an object of size 1. Lists
 * 0 to {@code heldLists - 1} have what the cache holds. Lists behind them have names of entries that left.
 */
abstract class PolicyCache implements BlockCache, SizedCache {
    final long capacity;
    final EntryLists entries;
    private final EvictionListener departures;
    private final int heldLists;

    /** @param capacity in blocks or bytes, as the lists count */
    PolicyCache(long capacity, EntryLists entries, int heldLists, EvictionListener departures) {
        this.capacity = capacity;
        this.entries = entries;
        this.heldLists = heldLists;
        this.departures = departures;
    }

    /** Notes a request for an entry that the cache holds. */
    abstract void use(int slot);

    /** Takes in an entry that is not larger than {@link #largest}; others leave for it. */
    abstract void admit(long entry, long size);

    /** Makes entries leave until those that stay fit; one of them has grown. */
    abstract void settle();

    /** Returns the size of the largest entry that the policy lets in. */
    long largest() {
        return capacity;
    }

    /** Notes that a request has changed the size of an entry that the cache holds. */
    void resized(int slot) {}

    /** Notes a request for an entry that is too large, and is not in the cache; its name may be known. */
    void refuse(int slot) {}

    @Override
    public final boolean touch(long block) {
        int slot = entries.find(block);
        if (!holds(slot)) {
            return false;
        }
        use(slot);
        return true;
    }

    @Override
    public final void insert(long block) {
        admit(block, 1);
    }

    @Override
    public final Answer request(long object, long bytes) {
        int slot = entries.find(object);
        if (holds(slot)) {
            use(slot);
            entries.resize(slot, bytes);
            resized(slot);
            if (bytes > largest()) {
                leave(slot);
            }
            settle();
            return Answer.HIT;
        }
        if (bytes > largest()) {
            refuse(slot);
            return Answer.TOO_LARGE;
        }
        admit(object, bytes);
        return Answer.MISS;
    }

    private boolean holds(int slot) {
        return slot != BlockLists.NONE && entries.list(slot) < heldLists;
    }

    /** Makes an entry leave, with its name. */
    void leave(int slot) {
        departures.left(entries.entry(slot));
        forget(slot);
    }

    /** Makes an entry leave, and keeps its name on a list. */
    final void leaveName(int slot, int names) {
        departures.left(entries.entry(slot));
        entries.move(slot, names);
    }

    /** Forgets an entry, or a name. */
    void forget(int slot) {
        entries.remove(slot);
    }

    @Override
    public final boolean remove(long entry) {
        int slot = entries.find(entry);
        boolean held = holds(slot);
        if (slot != BlockLists.NONE) {
            forget(slot);
        }
        return held;
    }

    @Override
    public final boolean contains(long entry) {
        return holds(entries.find(entry));
    }

    @Override
    public final long bytes() {
        long sum = 0;
        for (int list = 0; list < heldLists; list++) {
            sum += entries.sum(list);
        }
        return sum;
    }

    @Override
    public final int size() {
        int count = 0;
        for (int list = 0; list < heldLists; list++) {
            count += entries.count(list);
        }
        return count;
    }

    @Override
    public void clear() {
        entries.clear();
    }
}
