// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.tier;

import java.util.Arrays;

/** A tier in the order of the last use: the least recently used page leaves first. */
public final class LruTier implements Tier {
    /** The simulator's memory for one page of a tier, in bytes: key, links, flag and twice its share of the index. */
    public static final int MEMORY_PER_PAGE = 8 + 4 + 4 + 1 + 4 * 12;

    private final int capacity;
    private final LongIntMap index;
    private long[] keys = {};
    private int[] newer = {};
    private int[] older = {};
    private boolean[] dirty = {};
    private int newest = -1;
    private int oldest = -1;
    private int used;
    private int free = -1;
    private boolean lastEvictedDirty;

    /** @param capacity pages that fit; 0 is a tier that holds nothing */
    public LruTier(int capacity) {
        if (capacity < 0) {
            throw new IllegalArgumentException("bad capacity %d".formatted(capacity));
        }
        this.capacity = capacity;
        int first = Math.min(capacity, 1024);
        this.index = new LongIntMap(first);
        allocate(first);
    }

    private void allocate(int size) {
        keys = Arrays.copyOf(keys, size);
        newer = Arrays.copyOf(newer, size);
        older = Arrays.copyOf(older, size);
        dirty = Arrays.copyOf(dirty, size);
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public int size() {
        return index.size();
    }

    @Override
    public boolean touch(long key) {
        int slot = index.get(key);
        if (slot == LongIntMap.ABSENT) {
            return false;
        }
        if (slot != newest) {
            unlink(slot);
            linkNewest(slot);
        }
        return true;
    }

    @Override
    public boolean contains(long key) {
        return index.get(key) != LongIntMap.ABSENT;
    }

    @Override
    public long insert(long key, boolean asDirty) {
        if (touch(key)) {
            dirty[newest] |= asDirty;
            return NOTHING;
        }
        if (capacity == 0) {
            lastEvictedDirty = asDirty;
            return key;
        }
        long evicted = NOTHING;
        if (index.size() == capacity) {
            int last = oldest;
            evicted = keys[last];
            lastEvictedDirty = dirty[last];
            drop(last);
        }
        int slot = slot();
        keys[slot] = key;
        dirty[slot] = asDirty;
        index.put(key, slot);
        linkNewest(slot);
        return evicted;
    }

    private int slot() {
        if (free >= 0) {
            int slot = free;
            free = older[slot];
            return slot;
        }
        if (used == keys.length) {
            allocate((int) Math.min(capacity, used * 2L));
        }
        return used++;
    }

    @Override
    public long nextEvicted() {
        return NOTHING;
    }

    @Override
    public boolean evictedDirty() {
        return lastEvictedDirty;
    }

    @Override
    public boolean isDirty(long key) {
        int slot = index.get(key);
        return slot != LongIntMap.ABSENT && dirty[slot];
    }

    @Override
    public void clean(long key) {
        int slot = index.get(key);
        if (slot != LongIntMap.ABSENT) {
            dirty[slot] = false;
        }
    }

    @Override
    public boolean remove(long key) {
        int slot = index.get(key);
        if (slot == LongIntMap.ABSENT) {
            return false;
        }
        drop(slot);
        return true;
    }

    private void drop(int slot) {
        index.remove(keys[slot]);
        unlink(slot);
        older[slot] = free;
        free = slot;
    }

    @Override
    public void clear() {
        index.clear();
        newest = -1;
        oldest = -1;
        free = -1;
        used = 0;
    }

    private void unlink(int slot) {
        if (newer[slot] >= 0) {
            older[newer[slot]] = older[slot];
        } else {
            newest = older[slot];
        }
        if (older[slot] >= 0) {
            newer[older[slot]] = newer[slot];
        } else {
            oldest = newer[slot];
        }
    }

    private void linkNewest(int slot) {
        newer[slot] = -1;
        older[slot] = newest;
        if (newest >= 0) {
            newer[newest] = slot;
        } else {
            oldest = slot;
        }
        newest = slot;
    }
}
