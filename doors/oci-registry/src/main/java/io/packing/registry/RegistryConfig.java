package io.packing.registry;

import io.packing.blob.FilePath;
import io.packing.registry.cache.CacheConfig;
import io.packing.registry.dedup.DedupLimits;
import io.packing.registry.dedup.LayerForm;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.http.HttpFront;
import io.packing.registry.nodes.NodeConfig;
import java.util.Optional;

/**
 * The configuration of a registry process.
 *
 * @param host where it listens
 * @param port 0: any free one
 * @param base the directory of the registry in the mount
 * @param readOnly whether every change is refused
 * @param dedup whether pushed layers are split; empty: they stay as they are
 * @param translate the form that compressed layers get behind pushes, and that pulls by tag see; empty: they stay as they are
 * @param readAhead bytes of memory for reading ahead in pulls; 0: they read one piece after the other
 * @param cache of layers, on the disk of this process; empty: none
 * @param node the configuration of a node with a store of its own; empty: all is in the mount
 * @param tls the key and certificate; empty: plain HTTP
 */
public record RegistryConfig(
        String host,
        int port,
        FilePath base,
        boolean readOnly,
        Optional<DedupLimits> dedup,
        Optional<LayerForm> translate,
        long readAhead,
        Optional<CacheConfig> cache,
        Optional<NodeConfig> node,
        Optional<HttpFront.Keys> tls) {
    /** @throws IllegalArgumentException when the port is none, or the values contradict each other */
    public RegistryConfig {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("bad port " + port);
        }
        if (node.isPresent() && (translate.isPresent() || dedup.isEmpty())) {
            throw new IllegalArgumentException("a node with a store of its own splits layers, and translates none");
        }
    }

    /** Returns the configuration of a registry on the loopback interface, at a free port, that splits tars. */
    public static RegistryConfig local(FilePath base) {
        return new RegistryConfig(
                "127.0.0.1",
                0,
                base,
                false,
                Optional.of(DedupLimits.DEFAULT),
                Optional.empty(),
                ReadAhead.defaultBytes(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** Returns this configuration for a node with a store of its own, or without one. */
    public RegistryConfig withNode(Optional<NodeConfig> self) {
        return new RegistryConfig(host, port, base, readOnly, dedup, translate, readAhead, cache, self, tls);
    }

    /** Returns this configuration with another address. */
    public RegistryConfig withAddress(String otherHost, int otherPort) {
        return new RegistryConfig(otherHost, otherPort, base, readOnly, dedup, translate, readAhead, cache, node, tls);
    }

    /** Returns this configuration with or without the refusal of every change. */
    public RegistryConfig withReadOnly(boolean refusesChanges) {
        return new RegistryConfig(host, port, base, refusesChanges, dedup, translate, readAhead, cache, node, tls);
    }

    /** Returns this configuration with other limits for splitting. */
    public RegistryConfig withDedup(Optional<DedupLimits> limits) {
        return new RegistryConfig(host, port, base, readOnly, limits, translate, readAhead, cache, node, tls);
    }

    /** Returns this configuration with or without a translation of compressed layers. */
    public RegistryConfig withTranslation(Optional<LayerForm> form) {
        return new RegistryConfig(host, port, base, readOnly, dedup, form, readAhead, cache, node, tls);
    }

    /** Returns this configuration with another amount of memory for reading ahead. */
    public RegistryConfig withReadAhead(long bytes) {
        return new RegistryConfig(host, port, base, readOnly, dedup, translate, bytes, cache, node, tls);
    }

    /** Returns this configuration with another key, or none. */
    public RegistryConfig withTls(Optional<HttpFront.Keys> keys) {
        return new RegistryConfig(host, port, base, readOnly, dedup, translate, readAhead, cache, node, keys);
    }

    /** Returns this configuration with a cache of layers, or none. */
    public RegistryConfig withCache(Optional<CacheConfig> layers) {
        return new RegistryConfig(host, port, base, readOnly, dedup, translate, readAhead, layers, node, tls);
    }
}
