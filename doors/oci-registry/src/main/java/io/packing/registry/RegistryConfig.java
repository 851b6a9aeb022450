package io.packing.registry;

import io.packing.blob.FilePath;
import io.packing.registry.dedup.DedupLimits;
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
 * @param readAhead bytes of memory for what pulls read ahead; 0: they read one piece after the other
 * @param tls the key and certificate; empty: plain HTTP
 */
public record RegistryConfig(
        String host,
        int port,
        FilePath base,
        boolean readOnly,
        Optional<DedupLimits> dedup,
        long readAhead,
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
                ReadAhead.defaultBytes(),
                Optional.empty());
    }
}
