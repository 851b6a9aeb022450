// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import io.packing.store.StoreOptions;
import io.packing.storeservers.ServerKind;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;

/** Options that reach a server of a test. */
final class GoogleFixtures {
    private GoogleFixtures() {}

    static StoreOptions options(URI endpoint, String prefix, Map<String, String> more) {
        return options(endpoint, ServerKind.BUCKET, prefix, more);
    }

    static StoreOptions options(URI endpoint, String bucket, String prefix, Map<String, String> more) {
        Map<String, String> raw = new HashMap<>(Map.of(
                "packing.store",
                "gs://%s/%s".formatted(bucket, prefix),
                "packing.s3.endpoint",
                endpoint.toString(),
                "packing.s3.retry.timeout",
                "10s"));
        raw.putAll(more);
        return StoreOptions.from(raw);
    }
}
