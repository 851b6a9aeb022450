// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.time.Instant;

/**
 * An object's key and size.
 *
 * @param key relative to the store's prefix
 * @param length bytes
 * @param version opaque; differs when the content does (an ETag)
 * @param modified time of the write by the store's clock, to the second; the epoch if the store does not give it
 */
public record ObjectInfo(String key, long length, String version, Instant modified) {
    public ObjectInfo {
        if (key.isEmpty() || length < 0) {
            throw new IllegalArgumentException("bad object '%s' of %d bytes".formatted(key, length));
        }
        // Listings have milliseconds, and answers to HEAD do not.
        modified = Instant.ofEpochSecond(modified.getEpochSecond());
    }

    /** Creates the info of an object in a store without times. */
    public ObjectInfo(String key, long length, String version) {
        this(key, length, version, Instant.EPOCH);
    }
}
