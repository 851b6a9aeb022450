package io.packing.store;

import java.time.Instant;

/**
 * An object's key and size.
 *
 * @param key relative to the store's prefix
 * @param length bytes
 * @param version opaque; differs when the content does (an ETag)
 * @param modified when the store got it, by the store's clock, to the second; the epoch where a store does not tell
 */
public record ObjectInfo(String key, long length, String version, Instant modified) {
    public ObjectInfo {
        if (key.isEmpty() || length < 0) {
            throw new IllegalArgumentException("bad object '%s' of %d bytes".formatted(key, length));
        }
        // Lists tell milliseconds, and answers to HEAD do not.
        modified = Instant.ofEpochSecond(modified.getEpochSecond());
    }

    /** An object of a store that does not tell when it got it. */
    public ObjectInfo(String key, long length, String version) {
        this(key, length, version, Instant.EPOCH);
    }
}
