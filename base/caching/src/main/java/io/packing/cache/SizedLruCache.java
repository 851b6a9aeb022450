package io.packing.cache;

/** {@link LruCache} by bytes: evicts what was not requested for longest until there is room. */
final class SizedLruCache extends SizedQueueCache {
    SizedLruCache(long capacity, BlockCache.Departures departures) {
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
