package io.packing.sim.cache;

/**
 * ARC (Megiddo and Modha, FAST 2003): blocks seen once and blocks seen again on a list each, and behind each the names of
 * what was evicted from it; a request for such a name shifts room towards its list.
 */
public final class ArcCache implements BlockCache {
    private static final int ONCE = 0;
    private static final int AGAIN = 1;
    private static final int GONE_ONCE = 2;
    private static final int GONE_AGAIN = 3;

    private final int capacity;
    private final BlockLists blocks;
    private int target;

    public ArcCache(int capacity) {
        this.capacity = capacity;
        blocks = new BlockLists(Math.multiplyExact(2, capacity), 4);
    }

    @Override
    public boolean request(long block) {
        int slot = blocks.find(block);
        if (slot == BlockLists.NONE) {
            add(block);
            return false;
        }
        int list = blocks.list(slot);
        if (list == GONE_ONCE) {
            target = Math.min(capacity, target + Math.max(1, blocks.size(GONE_AGAIN) / blocks.size(GONE_ONCE)));
            replace(false);
        } else if (list == GONE_AGAIN) {
            target = Math.max(0, target - Math.max(1, blocks.size(GONE_ONCE) / blocks.size(GONE_AGAIN)));
            replace(true);
        }
        blocks.move(slot, AGAIN);
        return list <= AGAIN;
    }

    private void add(long block) {
        int seenOnce = blocks.size(ONCE) + blocks.size(GONE_ONCE);
        int names = seenOnce + blocks.size(AGAIN) + blocks.size(GONE_AGAIN);
        if (seenOnce == capacity) {
            if (blocks.size(ONCE) < capacity) {
                blocks.remove(blocks.oldest(GONE_ONCE));
                replace(false);
            } else {
                blocks.remove(blocks.oldest(ONCE));
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
        if (once >= 1 && (once > target || (wasSeenAgain && once == target))) {
            blocks.move(blocks.oldest(ONCE), GONE_ONCE);
        } else {
            blocks.move(blocks.oldest(AGAIN), GONE_AGAIN);
        }
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
}
