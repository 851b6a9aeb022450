// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.tier;

import io.packing.cache.BlockCache;
import io.packing.cache.CachePolicy;
import java.util.Arrays;

/** A tier of any policy. One insertion may evict several pages; they wait here until the caller takes them. */
final class PolicyTier implements Tier {
    static final int MEMORY_PER_DIRTY_PAGE = 4 * 12;

    private final int capacity;
    private final BlockCache pages;
    private final LongIntMap dirty = new LongIntMap(8);
    private long[] left = new long[8];
    private boolean[] leftDirty = new boolean[8];
    private int leaving;
    private int asked;

    PolicyTier(CachePolicy policy, int capacity) {
        this.capacity = capacity;
        this.pages = policy.make(capacity, this::leaves);
    }

    private void leaves(long key) {
        if (leaving == left.length) {
            left = Arrays.copyOf(left, 2 * leaving);
            leftDirty = Arrays.copyOf(leftDirty, 2 * leaving);
        }
        left[leaving] = key;
        leftDirty[leaving++] = dirty.remove(key) != LongIntMap.ABSENT;
    }

    @Override
    public int capacity() {
        return capacity;
    }

    @Override
    public int size() {
        return pages.size();
    }

    @Override
    public boolean touch(long key) {
        return pages.touch(key);
    }

    @Override
    public boolean contains(long key) {
        return pages.contains(key);
    }

    @Override
    public long insert(long key, boolean asDirty) {
        leaving = 0;
        asked = 0;
        if (asDirty) {
            dirty.put(key, 1);
        }
        if (!pages.touch(key)) {
            pages.insert(key);
        }
        return nextEvicted();
    }

    @Override
    public long nextEvicted() {
        return asked == leaving ? NOTHING : left[asked++];
    }

    @Override
    public boolean evictedDirty() {
        return asked > 0 && leftDirty[asked - 1];
    }

    @Override
    public boolean isDirty(long key) {
        return dirty.get(key) != LongIntMap.ABSENT;
    }

    @Override
    public void clean(long key) {
        dirty.remove(key);
    }

    @Override
    public boolean remove(long key) {
        dirty.remove(key);
        return pages.remove(key);
    }

    @Override
    public void clear() {
        dirty.clear();
        pages.clear();
        leaving = 0;
        asked = 0;
    }
}
