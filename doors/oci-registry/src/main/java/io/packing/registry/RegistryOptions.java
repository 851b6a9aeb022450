// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import io.packing.blob.FilePath;
import io.packing.registry.cache.LayerCacheOptions;
import io.packing.registry.dedup.DedupLimits;
import io.packing.registry.dedup.LayerForm;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.nodes.NodeOptions;
import io.packing.registry.web.HttpFront;
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
public record RegistryOptions(
        String host,
        int port,
        FilePath base,
        boolean readOnly,
        Optional<DedupLimits> dedup,
        Optional<LayerForm> translate,
        long readAhead,
        Optional<LayerCacheOptions> cache,
        Optional<NodeOptions> node,
        Optional<HttpFront.Keys> tls) {
    /** @throws IllegalArgumentException when the port is none, or the values contradict each other */
    public RegistryOptions {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("bad port " + port);
        }
        if (node.isPresent() && (translate.isPresent() || dedup.isEmpty())) {
            throw new IllegalArgumentException("a node with a store of its own splits layers, and translates none");
        }
    }

    /** Returns the configuration of a registry on the loopback interface, at a free port, that splits tars. */
    public static RegistryOptions local(FilePath base) {
        return new RegistryOptions(
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
    public RegistryOptions withNode(Optional<NodeOptions> self) {
        return new RegistryOptions(host, port, base, readOnly, dedup, translate, readAhead, cache, self, tls);
    }

    /** Returns this configuration with another address. */
    public RegistryOptions withAddress(String otherHost, int otherPort) {
        return new RegistryOptions(otherHost, otherPort, base, readOnly, dedup, translate, readAhead, cache, node, tls);
    }

    /** Returns this configuration with or without the refusal of every change. */
    public RegistryOptions withReadOnly(boolean refusesChanges) {
        return new RegistryOptions(host, port, base, refusesChanges, dedup, translate, readAhead, cache, node, tls);
    }

    /** Returns this configuration with other limits for splitting. */
    public RegistryOptions withDedup(Optional<DedupLimits> limits) {
        return new RegistryOptions(host, port, base, readOnly, limits, translate, readAhead, cache, node, tls);
    }

    /** Returns this configuration with or without a translation of compressed layers. */
    public RegistryOptions withTranslation(Optional<LayerForm> form) {
        return new RegistryOptions(host, port, base, readOnly, dedup, form, readAhead, cache, node, tls);
    }

    /** Returns this configuration with another amount of memory for reading ahead. */
    public RegistryOptions withReadAhead(long bytes) {
        return new RegistryOptions(host, port, base, readOnly, dedup, translate, bytes, cache, node, tls);
    }

    /** Returns this configuration with another key, or none. */
    public RegistryOptions withTls(Optional<HttpFront.Keys> keys) {
        return new RegistryOptions(host, port, base, readOnly, dedup, translate, readAhead, cache, node, keys);
    }

    /** Returns this configuration with a cache of layers, or none. */
    public RegistryOptions withCache(Optional<LayerCacheOptions> layers) {
        return new RegistryOptions(host, port, base, readOnly, dedup, translate, readAhead, layers, node, tls);
    }
}
