package io.packing.cache;

/** A {@link SieveCache} that counts bytes: the hand walks until the new object fits. */
final class SizedSieveCache extends SizedQueueCache {
    private int hand = BlockLists.NONE;

    SizedSieveCache(long capacity, BlockCache.EvictionListener departures) {
        super(capacity, departures);
    }

    @Override
    void hit(int slot) {
        objects.mark(slot, 1);
    }

    @Override
    void evict() {
        hand = hand == BlockLists.NONE ? objects.oldest(0) : hand;
        while (objects.mark(hand) != 0) {
            objects.mark(hand, 0);
            int newer = objects.newer(hand);
            hand = newer == BlockLists.NONE ? objects.oldest(0) : newer;
        }
        leave(hand);
    }

    /** Moves the hand on when the object below it leaves. */
    @Override
    void leave(int slot) {
        if (slot == hand) {
            hand = objects.newer(slot);
        }
        super.leave(slot);
    }
}
