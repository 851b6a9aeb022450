package io.packing.cache;

/**
 * SIEVE (Zhang et al., NSDI 2024): one queue in order of arrival, and a hand that walks from old to young. It spares
 * and unmarks the blocks with a request since its last visit, and evicts the first one without.
 */
public final class SieveCache implements BlockCache {
    private final int capacity;
    private final EvictionListener departures;
    private final BlockLists blocks;
    private int hand = BlockLists.NONE;

    public SieveCache(int capacity) {
        this(capacity, EvictionListener.UNHEARD);
    }

    public SieveCache(int capacity, EvictionListener departures) {
        this.capacity = capacity;
        this.departures = departures;
        blocks = new BlockLists(capacity, 1);
    }

    @Override
    public boolean touch(long block) {
        int slot = blocks.find(block);
        if (slot == BlockLists.NONE) {
            return false;
        }
        blocks.mark(slot, 1);
        return true;
    }

    @Override
    public void insert(long block) {
        if (blocks.size(0) == capacity) {
            evict();
        }
        blocks.add(block, 0);
    }

    private void evict() {
        int at = hand == BlockLists.NONE ? blocks.oldest(0) : hand;
        while (blocks.mark(at) != 0) {
            blocks.mark(at, 0);
            int newer = blocks.newer(at);
            at = newer == BlockLists.NONE ? blocks.oldest(0) : newer;
        }
        hand = blocks.newer(at);
        departures.left(blocks.block(at));
        blocks.remove(at);
    }

    @Override
    public boolean remove(long block) {
        int slot = blocks.find(block);
        if (slot == BlockLists.NONE) {
            return false;
        }
        if (slot == hand) {
            hand = blocks.newer(slot);
        }
        blocks.remove(slot);
        return true;
    }

    @Override
    public boolean contains(long block) {
        return blocks.find(block) != BlockLists.NONE;
    }

    @Override
    public int size() {
        return blocks.size(0);
    }

    @Override
    public void clear() {
        blocks.clear();
        hand = BlockLists.NONE;
    }
}
