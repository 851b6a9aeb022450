// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

/**
 * A cache of objects of any size, whose capacity counts their bytes, with one replacement policy. Confined to one
 * thread.
 *
 * <p>As in libCacheSim an object larger than the cache does not enter it. An object's size is that of its last request.
 * When it grows, others leave until the cache is within its capacity, as in Caffeine; when it outgrows the cache, it
 * leaves itself.
 */
public interface SizedCache {
    /** The result of a request. */
    enum Answer {
        /** The cache had the object, and has it afterwards unless it has grown: then it may be the one that leaves. */
        HIT,
        /** The cache did not have the object, and has it afterwards, unless its policy likes all others better (GDSF). */
        MISS,
        /** The cache did not have the object, and did not let it in. */
        TOO_LARGE
    }

    /** Requests an object of {@code bytes}, 1 at least. */
    Answer request(long object, long bytes);

    /**
     * Forgets an object and all that the policy remembers of it in particular, without a call to the listener of
     * evictions; returns true if the cache had it.
     */
    boolean remove(long object);

    /** Returns whether an object is in the cache; changes no state. */
    boolean contains(long object);

    /** Returns the bytes of the objects in the cache. */
    long bytes();

    /** Returns the number of objects in the cache. */
    int size();
}
