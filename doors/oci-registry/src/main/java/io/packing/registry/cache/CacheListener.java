package io.packing.registry.cache;

/** Learns what becomes of layers in a cache. Called by the threads that do it. */
public interface CacheListener {
    /** Why a layer is in the cache. */
    enum Reason {
        /** A manifest that names it was pulled. */
        PREFETCH,
        /** It was pulled itself. */
        PULL
    }

    /** A layer was taken in. */
    void filled(Reason reason);

    /** A layer could not be taken in. */
    void failed();

    /** A prefetch was not begun, since too many wait. */
    void skipped();
}
