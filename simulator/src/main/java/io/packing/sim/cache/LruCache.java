package io.packing.sim.cache;

/** Evicts the block that was not requested for longest. */
public final class LruCache implements BlockCache {
    private final int capacity;
    private final BlockLists blocks;

    public LruCache(int capacity) {
        this.capacity = capacity;
        blocks = new BlockLists(capacity, 1);
    }

    @Override
    public boolean request(long block) {
        int slot = blocks.find(block);
        if (slot != BlockLists.NONE) {
            blocks.move(slot, 0);
            return true;
        }
        if (blocks.size(0) == capacity) {
            blocks.remove(blocks.oldest(0));
        }
        blocks.add(block, 0);
        return false;
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
