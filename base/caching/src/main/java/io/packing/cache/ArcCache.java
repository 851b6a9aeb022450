package io.packing.cache;

/**
 * ARC (Megiddo and Modha, FAST 2003): one list for blocks seen once, one for blocks seen again, and behind each the
 * names of its evicted blocks. A request for such a name shifts room towards its list.
 */
public final class ArcCache implements BlockCache {
    private static final int ONCE = 0;
    private static final int AGAIN = 1;
    private static final int GONE_ONCE = 2;
    private static final int GONE_AGAIN = 3;

    private final int capacity;
    private final EvictionListener departures;
    private final BlockLists blocks;
    private int target;

    public ArcCache(int capacity) {
        this(capacity, EvictionListener.UNHEARD);
    }

    public ArcCache(int capacity, EvictionListener departures) {
        this.capacity = capacity;
        this.departures = departures;
        blocks = new BlockLists(Math.multiplyExact(2, capacity), 4);
    }

    @Override
    public boolean touch(long block) {
        int slot = blocks.find(block);
        if (slot == BlockLists.NONE || blocks.list(slot) > AGAIN) {
            return false;
        }
        blocks.move(slot, AGAIN);
        return true;
    }

    @Override
    public void insert(long block) {
        int slot = blocks.find(block);
        if (slot == BlockLists.NONE) {
            add(block);
            return;
        }
        if (blocks.list(slot) == GONE_ONCE) {
            target = Math.min(capacity, target + Math.max(1, blocks.size(GONE_AGAIN) / blocks.size(GONE_ONCE)));
            replace(false);
        } else {
            target = Math.max(0, target - Math.max(1, blocks.size(GONE_ONCE) / blocks.size(GONE_AGAIN)));
            replace(true);
        }
        blocks.move(slot, AGAIN);
    }

    private void add(long block) {
        int seenOnce = blocks.size(ONCE) + blocks.size(GONE_ONCE);
        int names = seenOnce + blocks.size(AGAIN) + blocks.size(GONE_AGAIN);
        if (seenOnce == capacity) {
            if (blocks.size(ONCE) < capacity) {
                blocks.remove(blocks.oldest(GONE_ONCE));
                replace(false);
            } else {
                int oldest = blocks.oldest(ONCE);
                departures.left(blocks.block(oldest));
                blocks.remove(oldest);
            }
        } else if (names >= capacity) {
            if (names == 2 * capacity) {
                blocks.remove(blocks.oldest(GONE_AGAIN));
            }
            replace(false);
        }
        blocks.add(block, ONCE);
    }

    /** Turns one block into a name. */
    private void replace(boolean wasSeenAgain) {
        int once = blocks.size(ONCE);
        if (once + blocks.size(AGAIN) < capacity) {
            // After a removal, which the paper does not know, the cache has room already.
            return;
        }
        boolean fromOnce = once >= 1 && (once > target || (wasSeenAgain && once == target));
        int oldest = blocks.oldest(fromOnce ? ONCE : AGAIN);
        departures.left(blocks.block(oldest));
        blocks.move(oldest, fromOnce ? GONE_ONCE : GONE_AGAIN);
    }

    @Override
    public boolean remove(long block) {
        int slot = blocks.find(block);
        if (slot == BlockLists.NONE) {
            return false;
        }
        int list = blocks.list(slot);
        blocks.remove(slot);
        return list <= AGAIN;
    }

    @Override
    public boolean contains(long block) {
        int slot = blocks.find(block);
        return slot != BlockLists.NONE && blocks.list(slot) <= AGAIN;
    }

    @Override
    public int size() {
        return blocks.size(ONCE) + blocks.size(AGAIN);
    }

    @Override
    public void clear() {
        blocks.clear();
        target = 0;
    }
}
