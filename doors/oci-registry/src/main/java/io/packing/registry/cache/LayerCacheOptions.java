// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.cache;

import java.nio.file.Path;

/**
 * The cache of a registry process.
 *
 * @param directory on a disk of this machine; one process at a time uses it
 * @param bytes of layers in it, at most
 * @param users the way to tell users apart
 */
public record LayerCacheOptions(Path directory, long bytes, Users users) {
    /** The way to tell users apart. */
    public enum Users {
        /** By the address from which they ask, as the paper does. */
        ADDRESS,
        /** By the name that they gave and proved; those without one by their address. */
        NAME
    }

    public LayerCacheOptions {
        if (bytes < 1) {
            throw new IllegalArgumentException("a cache of %d bytes".formatted(bytes));
        }
    }
}
