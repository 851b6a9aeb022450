// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.tier;

import io.packing.cache.CachePolicy;

/**
 * A cache tier of equal pages; a policy chooses the pages that leave.
 *
 * <p>A page may be <em>dirty</em>: no other place has its bytes, and the caller must write it when it leaves. The tier
 * only keeps the mark.
 */
public interface Tier {
    /** The answer of {@link #insert} and {@link #nextEvicted} if no page had to leave. */
    long NOTHING = -1;

    /**
     * Makes an empty tier.
     *
     * @param capacity pages that fit; 0 is a tier that holds nothing
     */
    static Tier of(CachePolicy policy, int capacity) {
        return policy == CachePolicy.LRU || capacity == 0 ? new LruTier(capacity) : new PolicyTier(policy, capacity);
    }

    /** Returns the simulator's memory for one page of a full tier, in bytes. */
    static int memoryPerPage(CachePolicy policy) {
        return policy == CachePolicy.LRU
                ? LruTier.MEMORY_PER_PAGE
                : policy.bytesPerBlock() + PolicyTier.MEMORY_PER_DIRTY_PAGE;
    }

    int capacity();

    int size();

    /** Tells the policy that {@code key} is used; returns whether the tier has it at all. */
    boolean touch(long key);

    boolean contains(long key);

    /**
     * Inserts {@code key}, or uses it if the tier has it.
     *
     * @return a page that left for it, {@link #NOTHING} if none had to; a tier without room returns {@code key}
     */
    long insert(long key, boolean asDirty);

    /** Returns one more page that left for the last {@link #insert}; {@link #NOTHING} after the last of them. */
    long nextEvicted();

    /** Returns whether the last page from {@link #insert} or {@link #nextEvicted} was dirty. */
    boolean evictedDirty();

    boolean isDirty(long key);

    /** Marks {@code key} as clean, after the caller has written it elsewhere. */
    void clean(long key);

    /** Removes {@code key}; returns whether the tier had it. */
    boolean remove(long key);

    /** Removes all pages. */
    void clear();
}
