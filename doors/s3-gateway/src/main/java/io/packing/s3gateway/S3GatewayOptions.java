// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway;

import io.packing.blob.FilePath;
import io.packing.registry.web.HttpFront;
import java.util.Locale;
import java.util.Optional;

/**
 * The configuration of a gateway process.
 *
 * @param port 0: any free one
 * @param base the directory of the mount whose directories are buckets
 * @param domain below which names of hosts are buckets; empty: buckets are in paths only
 * @param tls the key and certificate; empty: plain HTTP
 */
public record S3GatewayOptions(
        String host, int port, FilePath base, Optional<String> domain, Optional<HttpFront.Keys> tls) {
    /** @throws IllegalArgumentException when a value is none of its kind */
    public S3GatewayOptions {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("bad port " + port);
        }
        base.whyNotForUsers().ifPresent(why -> {
            throw new IllegalArgumentException(why);
        });
        if (base.isPast()) {
            throw new IllegalArgumentException("%s is in a snapshot: buckets of one cannot be changed".formatted(base));
        }
        domain.filter(name -> !name.matches("[a-z0-9]([a-z0-9.-]*[a-z0-9])?")).ifPresent(name -> {
            throw new IllegalArgumentException("'%.80s' is no name of a domain in lower case".formatted(name));
        });
    }

    /** Returns the configuration of a gateway on the loopback interface, at a free port. */
    public static S3GatewayOptions local(FilePath base) {
        return new S3GatewayOptions("127.0.0.1", 0, base, Optional.empty(), Optional.empty());
    }

    /** Returns this configuration with a domain of buckets. */
    public S3GatewayOptions withDomain(String name) {
        return new S3GatewayOptions(host, port, base, Optional.of(name.toLowerCase(Locale.ROOT)), tls);
    }
}
