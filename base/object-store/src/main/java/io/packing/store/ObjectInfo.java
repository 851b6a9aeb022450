package io.packing.store;

/**
 * An object's key and size.
 *
 * @param key relative to the store's prefix
 * @param length bytes
 * @param version opaque; differs when the content does (an ETag)
 */
public record ObjectInfo(String key, long length, String version) {
    public ObjectInfo {
        if (key.isEmpty() || length < 0) {
            throw new IllegalArgumentException("bad object '%s' of %d bytes".formatted(key, length));
        }
    }
}
