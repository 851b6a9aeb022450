package io.packing.sim.cache;

/**
 * SIEVE (Zhang et al., NSDI 2024): one queue in order of arrival, and a hand that walks from old to young, spares and
 * unmarks what was requested since its last visit, and evicts the first block that was not.
 */
public final class SieveCache implements BlockCache {
    private final int capacity;
    private final BlockLists blocks;
    private int hand = BlockLists.NONE;

    public SieveCache(int capacity) {
        this.capacity = capacity;
        blocks = new BlockLists(capacity, 1);
    }

    @Override
    public boolean request(long block) {
        int slot = blocks.find(block);
        if (slot != BlockLists.NONE) {
            blocks.mark(slot, 1);
            return true;
        }
        if (blocks.size(0) == capacity) {
            evict();
        }
        blocks.add(block, 0);
        return false;
    }

    private void evict() {
        int at = hand == BlockLists.NONE ? blocks.oldest(0) : hand;
        while (blocks.mark(at) != 0) {
            blocks.mark(at, 0);
            int newer = blocks.newer(at);
            at = newer == BlockLists.NONE ? blocks.oldest(0) : newer;
        }
        hand = blocks.newer(at);
        blocks.remove(at);
    }

    @Override
    public boolean contains(long block) {
        return blocks.find(block) != BlockLists.NONE;
    }

    @Override
    public int size() {
        return blocks.size(0);
    }
}
