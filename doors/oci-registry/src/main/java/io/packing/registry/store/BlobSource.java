// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.store;

import java.util.Locale;

/** The source of a blob's bytes at a read. */
public enum BlobSource {
    /** The mount has the blob as it was pushed. */
    INTACT,
    /** The blob was split, and is put together from its files. */
    RESTORED,
    /** The blob was split, and its recipe and some of its files were sent to a client that has the others. */
    LEAN,
    /** The cache of this process had the blob. */
    CACHED,
    /** The blob was on its way into the cache of this process. */
    AWAITED;

    /** As in metrics. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
