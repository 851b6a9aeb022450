package io.packing.cache;

/** A cache of blocks of one size, named by numbers, with one replacement policy. Confined to one thread. */
public interface BlockCache {
    /** Learns which blocks a cache evicts. It is told in the middle of that and must not call the cache. */
    @FunctionalInterface
    interface Departures {
        /** For caches of which nobody wants to know. */
        Departures UNHEARD = block -> {};

        void left(long block);
    }

    /** Asks for a block and returns whether it was there; one that was not is in the cache afterwards. */
    default boolean request(long block) {
        if (touch(block)) {
            return true;
        }
        insert(block);
        return false;
    }

    /** Tells the policy that a block is used, and returns whether it is in the cache at all. */
    boolean touch(long block);

    /** Takes in a block that is not in the cache; one or more others leave when it is full. */
    void insert(long block);

    /** Forgets a block and all that the policy remembers of it in particular; returns whether it was in the cache. */
    boolean remove(long block);

    /** Whether the block is in the cache; changes nothing. */
    boolean contains(long block);

    /** Blocks in the cache. */
    int size();

    /** Forgets everything. */
    void clear();
}
