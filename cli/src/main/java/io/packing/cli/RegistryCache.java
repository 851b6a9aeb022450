// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.registry.cache.LayerCacheOptions;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Layers that a registry keeps on its disk. */
final class RegistryCache {
    @Option(
            names = "--cache-dir",
            paramLabel = "DIR",
            description =
                    "A local directory for a cache of layers that were pulled, or whose manifest was. Without it there is "
                            + "none.")
    private @Nullable Path directory;

    @Option(
            names = "--cache-bytes",
            paramLabel = "SIZE",
            converter = ByteSize.class,
            defaultValue = "10GB",
            description = "Bytes of layers in --cache-dir, at most (default: ${DEFAULT-VALUE}).")
    private long bytes;

    @Option(
            names = "--users-by",
            paramLabel = "address|name",
            converter = Values.Users.class,
            defaultValue = "address",
            description =
                    "How the cache tells apart who has pulled which layers: by the address of the client, or by the name that it"
                            + " proved, if it did (default: ${DEFAULT-VALUE}).")
    private LayerCacheOptions.Users usersBy = LayerCacheOptions.Users.ADDRESS;

    /** Returns the configuration from the options; empty: no cache. */
    Optional<LayerCacheOptions> config() {
        return Optional.ofNullable(directory).map(place -> new LayerCacheOptions(place, bytes, usersBy));
    }
}
