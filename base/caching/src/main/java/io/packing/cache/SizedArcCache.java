package io.packing.cache;

/**
 * An {@link ArcCache} that counts bytes: one list for objects seen once, one for objects seen again, and behind each
 * the names of its evicted objects. A request for such a name shifts as much room towards its list as the object has
 * bytes, or more, by the proportion of the names. With objects of one size it holds the blocks that ARC (Megiddo and
 * Modha, FAST 2003) does.
 */
public final class SizedArcCache implements SizedCache {
    private static final int ONCE = 0;
    private static final int AGAIN = 1;
    private static final int GONE_ONCE = 2;
    private static final int GONE_AGAIN = 3;

    private final long capacity;
    private final BlockCache.EvictionListener departures;
    private final SizedLists objects = new SizedLists(4);
    /** The target for the bytes of objects seen once. */
    private long target;

    /**
     * Creates an empty cache.
     *
     * @param capacity bytes
     * @param departures receives the objects that leave to make room
     */
    public SizedArcCache(long capacity, BlockCache.EvictionListener departures) {
        this.capacity = capacity;
        this.departures = departures;
    }

    @Override
    public Answer request(long object, long bytes) {
        int slot = objects.find(object);
        boolean held = slot != BlockLists.NONE && objects.list(slot) <= AGAIN;
        if (bytes > capacity) {
            if (held) {
                departures.left(object);
            }
            if (slot != BlockLists.NONE) {
                objects.remove(slot);
            }
            return held ? Answer.HIT : Answer.TOO_LARGE;
        }
        if (held) {
            objects.move(slot, AGAIN);
            objects.resize(slot, bytes);
            makeRoom(0, false);
            trimNames(0);
            return Answer.HIT;
        }
        if (slot == BlockLists.NONE) {
            add(object, bytes);
        } else {
            comeBack(slot, bytes);
        }
        return Answer.MISS;
    }

    private void add(long object, long bytes) {
        trimNames(bytes);
        makeRoom(bytes, false);
        objects.add(object, bytes, ONCE);
    }

    /** Brings back an object whose name is still known. */
    private void comeBack(int slot, long bytes) {
        objects.resize(slot, bytes);
        boolean again = objects.list(slot) == GONE_AGAIN;
        if (again) {
            target = Math.max(0, target - bytes * Math.max(1, objects.bytes(GONE_ONCE) / objects.bytes(GONE_AGAIN)));
        } else {
            target = Math.min(
                    capacity, target + bytes * Math.max(1, objects.bytes(GONE_AGAIN) / objects.bytes(GONE_ONCE)));
        }
        makeRoom(bytes, again);
        objects.move(slot, AGAIN);
        trimNames(0);
    }

    /**
     * Forgets names until both fit: the names of objects seen once with a new object, and all names beside the objects.
     */
    private void trimNames(long bytes) {
        while (objects.bytes(ONCE) + objects.bytes(GONE_ONCE) + bytes > capacity) {
            if (objects.size(GONE_ONCE) > 0) {
                objects.remove(objects.oldest(GONE_ONCE));
            } else {
                leave(objects.oldest(ONCE));
            }
        }
        while (objects.size(GONE_AGAIN) > 0 && all() + bytes > 2 * capacity) {
            objects.remove(objects.oldest(GONE_AGAIN));
        }
    }

    private long all() {
        return bytes() + objects.bytes(GONE_ONCE) + objects.bytes(GONE_AGAIN);
    }

    /** Turns objects into names until the new bytes fit. */
    private void makeRoom(long bytes, boolean wasSeenAgain) {
        while (bytes() + bytes > capacity) {
            long once = objects.bytes(ONCE);
            boolean fromOnce =
                    objects.size(AGAIN) == 0 || (once > 0 && (once > target || (wasSeenAgain && once == target)));
            int oldest = objects.oldest(fromOnce ? ONCE : AGAIN);
            departures.left(objects.object(oldest));
            objects.move(oldest, fromOnce ? GONE_ONCE : GONE_AGAIN);
        }
    }

    private void leave(int slot) {
        departures.left(objects.object(slot));
        objects.remove(slot);
    }

    @Override
    public boolean contains(long object) {
        int slot = objects.find(object);
        return slot != BlockLists.NONE && objects.list(slot) <= AGAIN;
    }

    /** Forgets an object and its name without a call to the departures. Returns whether the cache had it. */
    public boolean remove(long object) {
        boolean held = contains(object);
        int slot = objects.find(object);
        if (slot != BlockLists.NONE) {
            objects.remove(slot);
        }
        return held;
    }

    @Override
    public long bytes() {
        return objects.bytes(ONCE) + objects.bytes(AGAIN);
    }

    @Override
    public int size() {
        return objects.size(ONCE) + objects.size(AGAIN);
    }
}
