package io.packing.sim.cache;

/** {@link LruCache} by bytes: evicts what was not requested for longest until there is room. */
final class SizedLruCache implements SizedCache {
    private final long capacity;
    private final BlockCache.Departures departures;
    private final SizedLists objects = new SizedLists(1);

    SizedLruCache(long capacity, BlockCache.Departures departures) {
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
        objects.move(slot, 0);
        objects.resize(slot, bytes);
        if (bytes > capacity) {
            leave(slot);
        }
        makeRoom(0);
        return Answer.HIT;
    }

    private void makeRoom(long bytes) {
        while (objects.bytes(0) + bytes > capacity) {
            leave(objects.oldest(0));
        }
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
