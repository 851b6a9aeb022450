// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.s3server.S3Server;
import io.packing.storeservers.ServerKind;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;

/** Options that reach a server of a test. */
final class S3Fixtures {
    private S3Fixtures() {}

    static StoreOptions options(S3Server server, String location) {
        return options(server.endpoint(), location, Map.of());
    }

    static StoreOptions options(URI endpoint, String location, Map<String, String> more) {
        Map<String, String> raw = new HashMap<>(Map.of(
                "packing.store",
                location,
                "packing.s3.endpoint",
                endpoint.toString(),
                "packing.s3.access.key",
                "access",
                "packing.s3.secret.key",
                "secret",
                "packing.s3.retry.timeout",
                "10s"));
        raw.putAll(more);
        return StoreOptions.from(raw);
    }

    /** Returns options that reach the bucket of a server of another project. */
    static StoreOptions real(URI endpoint, String prefix, Map<String, String> more) {
        Map<String, String> raw = new HashMap<>(
                Map.of("packing.s3.access.key", ServerKind.ACCESS_KEY, "packing.s3.secret.key", ServerKind.SECRET_KEY));
        raw.putAll(more);
        return options(endpoint, "s3://%s/%s".formatted(ServerKind.BUCKET, prefix), raw);
    }
}
