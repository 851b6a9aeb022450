package io.packing.cache;

/** A cache by bytes with one queue of objects; the policy decides the effect of a hit and the order of evictions. */
abstract class SizedQueueCache implements SizedCache {
    private final long capacity;
    private final BlockCache.EvictionListener departures;
    final SizedLists objects = new SizedLists(1);

    SizedQueueCache(long capacity, BlockCache.EvictionListener departures) {
        this.capacity = capacity;
        this.departures = departures;
    }

    /** Notes a request for an object of the queue. */
    abstract void hit(int slot);

    /** Makes one object leave; the queue is not empty. */
    abstract void evict();

    @Override
    public final Answer request(long object, long bytes) {
        int slot = objects.find(object);
        if (slot == BlockLists.NONE) {
            if (bytes > capacity) {
                return Answer.TOO_LARGE;
            }
            makeRoom(bytes);
            objects.add(object, bytes, 0);
            return Answer.MISS;
        }
        hit(slot);
        objects.resize(slot, bytes);
        if (bytes > capacity) {
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

    void leave(int slot) {
        departures.left(objects.object(slot));
        objects.remove(slot);
    }

    @Override
    public final boolean contains(long object) {
        return objects.find(object) != BlockLists.NONE;
    }

    @Override
    public final long bytes() {
        return objects.bytes(0);
    }

    @Override
    public final int size() {
        return objects.size(0);
    }
}
