package io.packing.cache;

/**
 * An {@link S3FifoCache} that counts bytes: the small queue has a tenth of the bytes, and the cache keeps the names of
 * nine tenths as many bytes as it holds. As in libCacheSim an object larger than the small queue does not enter it.
 */
final class SizedS3FifoCache implements SizedCache {
    private static final int SMALL = 0;
    private static final int MAIN = 1;
    private static final int GHOST = 2;
    private static final int MOST_REQUESTS = 3;
    private static final int SMALL_SHARE = 10;

    private final long capacity;
    private final long small;
    private final long main;
    private final long ghosts;
    private final BlockCache.EvictionListener departures;
    private final SizedLists objects = new SizedLists(3);

    SizedS3FifoCache(long capacity, BlockCache.EvictionListener departures) {
        this.capacity = capacity;
        this.departures = departures;
        small = Math.max(1, capacity / SMALL_SHARE);
        main = capacity - small;
        ghosts = capacity - capacity / SMALL_SHARE;
    }

    @Override
    public Answer request(long object, long bytes) {
        int slot = objects.find(object);
        if (slot != BlockLists.NONE && objects.list(slot) != GHOST) {
            hit(slot, bytes);
            return Answer.HIT;
        }
        if (bytes > small) {
            return Answer.TOO_LARGE;
        }
        makeRoom(bytes);
        // Look again, since making room may have pushed the name out.
        slot = objects.find(object);
        if (slot == BlockLists.NONE) {
            objects.add(object, bytes, SMALL);
        } else {
            objects.resize(slot, bytes);
            objects.move(slot, MAIN);
        }
        return Answer.MISS;
    }

    private void hit(int slot, long bytes) {
        objects.mark(slot, Math.min(MOST_REQUESTS, objects.mark(slot) + 1));
        objects.resize(slot, bytes);
        if (bytes > small) {
            leave(slot);
        }
        makeRoom(0);
    }

    private void makeRoom(long bytes) {
        while (bytes() + bytes > capacity) {
            if (objects.bytes(SMALL) >= small || objects.size(MAIN) == 0) {
                evictFromSmall();
            } else {
                evictFromMain();
            }
        }
    }

    private void evictFromSmall() {
        for (int oldest = objects.oldest(SMALL); oldest != BlockLists.NONE; oldest = objects.oldest(SMALL)) {
            int requests = objects.mark(oldest);
            objects.mark(oldest, 0);
            if (requests > 1) {
                objects.move(oldest, MAIN);
                while (objects.bytes(MAIN) > main) {
                    evictFromMain();
                }
            } else {
                departures.left(objects.object(oldest));
                remember(oldest);
                return;
            }
        }
    }

    private void remember(int slot) {
        objects.move(slot, GHOST);
        while (objects.bytes(GHOST) > ghosts) {
            objects.remove(objects.oldest(GHOST));
        }
    }

    private void evictFromMain() {
        int oldest = objects.oldest(MAIN);
        while (objects.mark(oldest) > 0) {
            objects.mark(oldest, objects.mark(oldest) - 1);
            objects.move(oldest, MAIN);
            oldest = objects.oldest(MAIN);
        }
        leave(oldest);
    }

    private void leave(int slot) {
        departures.left(objects.object(slot));
        objects.remove(slot);
    }

    @Override
    public boolean contains(long object) {
        int slot = objects.find(object);
        return slot != BlockLists.NONE && objects.list(slot) != GHOST;
    }

    @Override
    public long bytes() {
        return objects.bytes(SMALL) + objects.bytes(MAIN);
    }

    @Override
    public int size() {
        return objects.size(SMALL) + objects.size(MAIN);
    }
}
