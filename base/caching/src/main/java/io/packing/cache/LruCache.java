package io.packing.cache;

/** A cache that evicts the block without a request for longest. */
public final class LruCache implements BlockCache {
    private final int capacity;
    private final EvictionListener departures;
    private final BlockLists blocks;

    public LruCache(int capacity) {
        this(capacity, EvictionListener.UNHEARD);
    }

    public LruCache(int capacity, EvictionListener departures) {
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
        blocks.move(slot, 0);
        return true;
    }

    @Override
    public void insert(long block) {
        if (blocks.size(0) == capacity) {
            int oldest = blocks.oldest(0);
            departures.left(blocks.block(oldest));
            blocks.remove(oldest);
        }
        blocks.add(block, 0);
    }

    @Override
    public boolean remove(long block) {
        int slot = blocks.find(block);
        if (slot == BlockLists.NONE) {
            return false;
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
    }
}
