package io.packing.cli;

import io.packing.options.Parsers;
import io.packing.registry.cache.LayerCacheOptions;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Layers that a registry keeps on its disk. */
final class RegistryCache {
    @Option(
            names = "--cache-dir",
            paramLabel = "DIR",
            description =
                    "A directory on a local disk for layers that were pulled, and for those that are expected to be, since a manifest"
                            + " that names them was pulled. Without it there is no cache of layers.")
    private @Nullable Path directory;

    @Option(
            names = "--cache-bytes",
            paramLabel = "SIZE",
            defaultValue = "10GB",
            description = "Bytes of layers in --cache-dir, at most (default: ${DEFAULT-VALUE}).")
    private String bytes = "";

    @Option(
            names = "--users-by",
            paramLabel = "address|name",
            defaultValue = "address",
            description =
                    "How the cache tells apart who has pulled which layers: by the address of the client, or by the name that it"
                            + " proved, if it did (default: ${DEFAULT-VALUE}).")
    private String usersBy = "";

    /** Returns the configuration from the options; empty: no cache. */
    Optional<LayerCacheOptions> config() {
        return Optional.ofNullable(directory)
                .map(place -> new LayerCacheOptions(place, Parsers.bytes(bytes), users(usersBy)));
    }

    static LayerCacheOptions.Users users(String name) {
        for (LayerCacheOptions.Users users : LayerCacheOptions.Users.values()) {
            if (users.name().toLowerCase(Locale.ROOT).equals(name)) {
                return users;
            }
        }
        throw new IllegalArgumentException("--users-by: '%s' is neither address nor name".formatted(name));
    }
}
