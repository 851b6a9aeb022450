package io.packing.registry;

import io.packing.blob.FilePath;
import io.packing.registry.cache.CacheConfig;
import io.packing.registry.dedup.DedupLimits;
import io.packing.registry.dedup.LayerForm;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.http.HttpFront;
import java.util.Optional;

/**
 * What a registry process is told when it starts.
 *
 * @param host where it listens
 * @param port 0: any free one
 * @param base the directory of the registry in the mount
 * @param readOnly whether every change is refused
 * @param dedup whether pushed layers are split; empty: they stay as they are
 * @param translate the form that compressed layers get behind pushes, and that pulls by tag see; empty: they stay as they are
 * @param readAhead bytes of memory for what pulls read ahead; 0: they read one piece after the other
 * @param cache of layers, on the disk of this process; empty: there is none
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
        Optional<HttpFront.Keys> tls) {
    public RegistryConfig {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("bad port " + port);
        }
    }

    /** A registry on the loopback interface, at a free port, that splits tars. */
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
                Optional.empty());
    }

    /** The same, listening elsewhere. */
    public RegistryConfig withAddress(String otherHost, int otherPort) {
        return new RegistryConfig(otherHost, otherPort, base, readOnly, dedup, translate, readAhead, cache, tls);
    }

    /** The same, which refuses every change, or does not. */
    public RegistryConfig withReadOnly(boolean refusesChanges) {
        return new RegistryConfig(host, port, base, refusesChanges, dedup, translate, readAhead, cache, tls);
    }

    /** The same with other limits of what is split. */
    public RegistryConfig withDedup(Optional<DedupLimits> limits) {
        return new RegistryConfig(host, port, base, readOnly, limits, translate, readAhead, cache, tls);
    }

    /** The same, which translates compressed layers, or does not. */
    public RegistryConfig withTranslation(Optional<LayerForm> form) {
        return new RegistryConfig(host, port, base, readOnly, dedup, form, readAhead, cache, tls);
    }

    /** The same with other memory for what pulls read ahead. */
    public RegistryConfig withReadAhead(long bytes) {
        return new RegistryConfig(host, port, base, readOnly, dedup, translate, bytes, cache, tls);
    }

    /** The same with another key, or none. */
    public RegistryConfig withTls(Optional<HttpFront.Keys> keys) {
        return new RegistryConfig(host, port, base, readOnly, dedup, translate, readAhead, cache, keys);
    }

    /** The same with a cache of layers, or none. */
    public RegistryConfig withCache(Optional<CacheConfig> layers) {
        return new RegistryConfig(host, port, base, readOnly, dedup, translate, readAhead, layers, tls);
    }
}
