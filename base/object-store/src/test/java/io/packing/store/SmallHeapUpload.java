// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A process with a heap much smaller than the file that it sends and fetches. */
final class SmallHeapUpload {
    private SmallHeapUpload() {}

    public static void main(String[] arguments) throws IOException {
        Path source = Path.of(arguments[1]);
        Path target = Path.of(arguments[2]);
        try (ObjectStore store = ObjectStores.open(StoreOptions.from(Map.of(
                "packing.store", "s3://bucket/p",
                "packing.s3.endpoint", arguments[0],
                "packing.s3.access.key", "access",
                "packing.s3.secret.key", "secret",
                "packing.s3.retry.timeout", "30s")))) {
            store.put("large", source, PutCondition.IF_ABSENT);
            store.download("large", target);
        }
    }
}
