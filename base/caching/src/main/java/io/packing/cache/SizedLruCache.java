package io.packing.cache;

/**
 * An {@link LruCache} that counts bytes: it evicts the objects without a request for longest until the new one fits.
 */
final class SizedLruCache extends SizedQueueCache {
    SizedLruCache(long capacity, BlockCache.EvictionListener departures) {
        super(capacity, departures);
    }

    @Override
    void hit(int slot) {
        objects.move(slot, 0);
    }

    @Override
    void evict() {
        leave(objects.oldest(0));
    }
}
