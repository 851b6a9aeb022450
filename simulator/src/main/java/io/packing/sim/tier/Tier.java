package io.packing.sim.tier;

import io.packing.cache.CachePolicy;

/**
 * A cache tier of equal pages; a policy chooses which of them leave.
 *
 * <p>A page may be <em>dirty</em>: it is nowhere else, and whoever lets it go must write it. The tier only remembers that.
 */
public interface Tier {
    /** What {@link #insert} and {@link #nextEvicted} answer when nothing had to leave. */
    long NOTHING = -1;

    /**
     * An empty tier.
     *
     * @param capacity pages that fit; 0 is a tier that holds nothing
     */
    static Tier of(CachePolicy policy, int capacity) {
        return policy == CachePolicy.LRU || capacity == 0 ? new LruTier(capacity) : new PolicyTier(policy, capacity);
    }

    /** Bytes of memory that one page of a full tier costs the simulator. */
    static int memoryPerPage(CachePolicy policy) {
        return policy == CachePolicy.LRU
                ? LruTier.MEMORY_PER_PAGE
                : policy.bytesPerBlock() + PolicyTier.MEMORY_PER_DIRTY_PAGE;
    }

    int capacity();

    int size();

    /** Tells the policy that {@code key} is used; returns whether it is here at all. */
    boolean touch(long key);

    boolean contains(long key);

    /**
     * Puts {@code key} in, or uses it when it is here.
     *
     * @return a page that left for it, {@link #NOTHING} when none had to; a tier without room answers {@code key}
     */
    long insert(long key, boolean asDirty);

    /** One more page that left when the last {@link #insert} was made, {@link #NOTHING} after the last of them. */
    long nextEvicted();

    /** Whether the page that {@link #insert} or {@link #nextEvicted} answered last was dirty. */
    boolean evictedDirty();

    boolean isDirty(long key);

    /** Remembers that {@code key} has been written elsewhere, too. */
    void clean(long key);

    /** Forgets {@code key}; returns whether it was here. */
    boolean remove(long key);

    /** Forgets everything. */
    void clear();
}
