// SPDX-License-Identifier: Apache-2.0
package io.packing.s3server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The configuration of a server.
 *
 * @param port 0 chooses a free one
 * @param directory of the objects; must exist
 * @param accessKey of the only user
 * @param secretKey of the only user
 * @param buckets created when they do not exist
 * @param putLimitPerSecond most PUT, POST, LIST and DELETE requests per second, above it 503 SlowDown; 0 means no limit
 * @param putLatency added to every request that writes
 * @param getLatency added to every request that reads an object
 */
public record S3ServerOptions(
        int port,
        Path directory,
        String accessKey,
        String secretKey,
        List<String> buckets,
        int putLimitPerSecond,
        Duration putLatency,
        Duration getLatency) {

    public S3ServerOptions {
        buckets = List.copyOf(buckets);
        if (port < 0 || port > 65_535 || putLimitPerSecond < 0 || putLatency.isNegative() || getLatency.isNegative()) {
            throw new IllegalArgumentException("bad S3 server: port %d, limit %d/s, latency %s of a PUT, %s of a GET"
                    .formatted(port, putLimitPerSecond, putLatency, getLatency));
        }
        if (accessKey.isBlank() || secretKey.isBlank()) {
            throw new IllegalArgumentException("an S3 server needs an access key and a secret key");
        }
    }

    /** Creates the configuration of a server that reads at once. */
    public S3ServerOptions(
            int port,
            Path directory,
            String accessKey,
            String secretKey,
            List<String> buckets,
            int putLimitPerSecond,
            Duration putLatency) {
        this(port, directory, accessKey, secretKey, buckets, putLimitPerSecond, putLatency, Duration.ZERO);
    }

    /** Returns the configuration of an unlimited server on a free port, with keys {@code access} and {@code secret}. */
    public static S3ServerOptions of(Path directory, String... buckets) {
        return new S3ServerOptions(0, directory, "access", "secret", List.of(buckets), 0, Duration.ZERO);
    }

    /** Returns this configuration with a limit of PUT-class requests. */
    public S3ServerOptions withPutLimitPerSecond(int limit) {
        return new S3ServerOptions(port, directory, accessKey, secretKey, buckets, limit, putLatency, getLatency);
    }

    /** Returns this configuration with slow writes. */
    public S3ServerOptions withPutLatency(Duration latency) {
        return new S3ServerOptions(
                port, directory, accessKey, secretKey, buckets, putLimitPerSecond, latency, getLatency);
    }

    /** Returns this configuration with a fixed port. */
    public S3ServerOptions withPort(int fixed) {
        return new S3ServerOptions(
                fixed, directory, accessKey, secretKey, buckets, putLimitPerSecond, putLatency, getLatency);
    }

    /** Returns the configuration without the secret key. */
    @Override
    public String toString() {
        return "S3ServerOptions[port=%d, directory=%s, accessKey=%s, buckets=%s, putLimitPerSecond=%d, putLatency=%s, getLatency=%s]"
                .formatted(port, directory, accessKey, buckets, putLimitPerSecond, putLatency, getLatency);
    }
}
