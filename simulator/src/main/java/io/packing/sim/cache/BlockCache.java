package io.packing.sim.cache;

/** A cache of blocks of one size, named by numbers, with one replacement policy. Confined to one thread. */
public interface BlockCache {
    /** Asks for a block and returns whether it was there; one that was not is in the cache afterwards. */
    boolean request(long block);

    /** Whether the block is in the cache; changes nothing. */
    boolean contains(long block);

    /** Blocks in the cache. */
    int size();
}
