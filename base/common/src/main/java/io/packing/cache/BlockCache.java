// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

/** A cache of blocks of one size, named by numbers, with one replacement policy. Confined to one thread. */
public interface BlockCache {
    /**
     * A receiver of the blocks that a cache evicts. The cache calls it in the middle of an eviction, so it must not
     * call the cache.
     */
    @FunctionalInterface
    interface EvictionListener {
        /** Ignores the evicted blocks. */
        EvictionListener UNHEARD = block -> {};

        void left(long block);
    }

    /** Requests a block; returns true if the cache had it, and takes it in otherwise. */
    default boolean request(long block) {
        if (touch(block)) {
            return true;
        }
        insert(block);
        return false;
    }

    /** Notes the use of a block; returns true if the cache has it. */
    boolean touch(long block);

    /** Takes in a block that is not in the cache; a full cache evicts others. */
    void insert(long block);

    /** Forgets a block and all that the policy remembers of it in particular; returns true if the cache had it. */
    boolean remove(long block);

    /** Returns whether the block is in the cache; changes no state. */
    boolean contains(long block);

    /** Returns the number of blocks in the cache. */
    int size();

    /** Forgets everything. */
    void clear();
}
