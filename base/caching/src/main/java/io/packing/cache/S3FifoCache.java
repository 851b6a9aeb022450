package io.packing.cache;

/**
 * S3-FIFO (Yang et al., "FIFO Queues are All You Need for Cache Eviction", SOSP 2023, Algorithm 1). New blocks enter a
 * small queue of a tenth of the cache. Those requested more than once there go on to the main queue; the others leave,
 * and the cache keeps as many of their names as the main queue has room for blocks. A block whose name is known enters
 * the main queue, where blocks requested since their last turn get another.
 */
public final class S3FifoCache implements BlockCache {
    private static final int SMALL = 0;
    private static final int MAIN = 1;
    private static final int GHOST = 2;

    /** The largest count of requests, which the paper keeps in two bits. */
    private static final int MOST_REQUESTS = 3;

    private static final int SMALL_SHARE = 10;

    private final int capacity;
    private final int small;
    private final int main;
    private final int ghosts;
    private final EvictionListener departures;
    private final BlockLists blocks;

    public S3FifoCache(int capacity) {
        this(capacity, EvictionListener.UNHEARD);
    }

    public S3FifoCache(int capacity, EvictionListener departures) {
        this.capacity = capacity;
        this.departures = departures;
        small = Math.max(1, capacity / SMALL_SHARE);
        main = capacity - small;
        ghosts = (int) (9L * capacity / SMALL_SHARE);
        blocks = new BlockLists(Math.addExact(capacity, ghosts), 3);
    }

    @Override
    public boolean touch(long block) {
        int slot = blocks.find(block);
        if (slot == BlockLists.NONE || blocks.list(slot) == GHOST) {
            return false;
        }
        int requests = blocks.mark(slot);
        if (requests < MOST_REQUESTS) {
            blocks.mark(slot, requests + 1);
        }
        return true;
    }

    @Override
    public void insert(long block) {
        while (size() == capacity) {
            evict();
        }
        // Look again, since the eviction may have pushed the name out.
        int slot = blocks.find(block);
        if (slot == BlockLists.NONE) {
            blocks.add(block, SMALL);
        } else {
            blocks.move(slot, MAIN);
        }
    }

    private void evict() {
        if (blocks.size(SMALL) >= small || blocks.size(MAIN) == 0) {
            evictFromSmall();
        } else {
            evictFromMain();
        }
    }

    private void evictFromSmall() {
        for (int oldest = blocks.oldest(SMALL); oldest != BlockLists.NONE; oldest = blocks.oldest(SMALL)) {
            int requests = blocks.mark(oldest);
            blocks.mark(oldest, 0);
            if (requests > 1) {
                blocks.move(oldest, MAIN);
                if (blocks.size(MAIN) > main) {
                    evictFromMain();
                }
            } else {
                departures.left(blocks.block(oldest));
                remember(oldest);
                return;
            }
        }
    }

    private void remember(int slot) {
        if (ghosts == 0) {
            blocks.remove(slot);
            return;
        }
        if (blocks.size(GHOST) == ghosts) {
            blocks.remove(blocks.oldest(GHOST));
        }
        blocks.move(slot, GHOST);
    }

    private void evictFromMain() {
        int oldest = blocks.oldest(MAIN);
        while (blocks.mark(oldest) > 0) {
            blocks.mark(oldest, blocks.mark(oldest) - 1);
            blocks.move(oldest, MAIN);
            oldest = blocks.oldest(MAIN);
        }
        departures.left(blocks.block(oldest));
        blocks.remove(oldest);
    }

    @Override
    public boolean remove(long block) {
        int slot = blocks.find(block);
        if (slot == BlockLists.NONE) {
            return false;
        }
        int list = blocks.list(slot);
        blocks.remove(slot);
        return list != GHOST;
    }

    @Override
    public boolean contains(long block) {
        int slot = blocks.find(block);
        return slot != BlockLists.NONE && blocks.list(slot) != GHOST;
    }

    @Override
    public int size() {
        return blocks.size(SMALL) + blocks.size(MAIN);
    }

    @Override
    public void clear() {
        blocks.clear();
    }
}
