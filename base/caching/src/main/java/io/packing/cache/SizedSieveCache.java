package io.packing.cache;

/** {@link SieveCache} by bytes: the hand walks until there is room. */
final class SizedSieveCache extends SizedQueueCache {
    private int hand = BlockLists.NONE;

    SizedSieveCache(long capacity, BlockCache.Departures departures) {
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

    /** The hand steps on from what leaves below it. */
    @Override
    void leave(int slot) {
        if (slot == hand) {
            hand = objects.newer(slot);
        }
        super.leave(slot);
    }
}
