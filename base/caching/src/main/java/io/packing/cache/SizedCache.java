package io.packing.cache;

/**
 * A cache of objects of any size, whose capacity counts their bytes, with one replacement policy. Confined to one thread.
 *
 * <p>As in libCacheSim an object that is larger than the cache passes by. An object's size is that of the last request for
 * it: when it grows, others leave until the cache holds no more than its capacity, as in Caffeine; when it outgrows the
 * cache, it leaves itself.
 */
public interface SizedCache {
    /** What became of a request. */
    enum Answer {
        /** There before, and afterwards unless it has grown: then it may be what leaves. */
        HIT,
        /** Not there before, but there afterwards. */
        MISS,
        /** Not there before, and not let in. */
        TOO_LARGE
    }

    /** Asks for an object of {@code bytes}, 1 at least. */
    Answer request(long object, long bytes);

    /** Whether an object is in the cache; changes nothing. */
    boolean contains(long object);

    /** Bytes of the objects in the cache. */
    long bytes();

    /** Objects in the cache. */
    int size();
}
