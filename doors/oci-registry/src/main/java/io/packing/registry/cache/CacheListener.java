// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.cache;

/** Learns the fate of layers in a cache. Called by the threads that do it. */
public interface CacheListener {
    /** Why a layer is in the cache. */
    enum Reason {
        /** A manifest that names it was pulled. */
        PREFETCH,
        /** A pull of the layer itself. */
        PULL
    }

    /** Notes that a layer was taken in. */
    void filled(Reason reason);

    /** Notes that a layer could not be taken in. */
    void failed();

    /** Notes that a prefetch was not begun, since too many wait. */
    void skipped();
}
