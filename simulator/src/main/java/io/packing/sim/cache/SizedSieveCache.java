package io.packing.sim.cache;

/** {@link SieveCache} by bytes: the hand walks until there is room. */
final class SizedSieveCache implements SizedCache {
    private final long capacity;
    private final BlockCache.Departures departures;
    private final SizedLists objects = new SizedLists(1);
    private int hand = BlockLists.NONE;

    SizedSieveCache(long capacity, BlockCache.Departures departures) {
        this.capacity = capacity;
        this.departures = departures;
    }

    @Override
    public Answer request(long object, long bytes) {
        var slot = objects.find(object);
        if (slot == BlockLists.NONE) {
            if (bytes > capacity) {
                return Answer.TOO_LARGE;
            }
            makeRoom(bytes);
            objects.add(object, bytes, 0);
            return Answer.MISS;
        }
        objects.mark(slot, 1);
        objects.resize(slot, bytes);
        if (bytes > capacity) {
            if (slot == hand) {
                hand = objects.newer(slot);
            }
            leave(slot);
        }
        makeRoom(0);
        return Answer.HIT;
    }

    private void makeRoom(long bytes) {
        while (objects.bytes(0) + bytes > capacity) {
            evict();
        }
    }

    private void evict() {
        var at = hand == BlockLists.NONE ? objects.oldest(0) : hand;
        while (objects.mark(at) != 0) {
            objects.mark(at, 0);
            var newer = objects.newer(at);
            at = newer == BlockLists.NONE ? objects.oldest(0) : newer;
        }
        hand = objects.newer(at);
        leave(at);
    }

    private void leave(int slot) {
        departures.left(objects.object(slot));
        objects.remove(slot);
    }

    @Override
    public long bytes() {
        return objects.bytes(0);
    }

    @Override
    public int size() {
        return objects.size(0);
    }
}
