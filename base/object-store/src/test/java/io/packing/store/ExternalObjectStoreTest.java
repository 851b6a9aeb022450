// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The contract against an S3 store outside of the build: {@code mvn test -pl object-store -am
 * -Dpacking.store=s3://bucket/prefix -Dpacking.s3.endpoint=http://host:port -Dpacking.s3.access.key=...
 * -Dpacking.s3.secret.key=...}; every other option of the store works too. Each test uses a prefix of its own and
 * empties it.
 */
@EnabledIfSystemProperty(
        named = "packing.store",
        matches = ".+",
        disabledReason = "needs a store: set -Dpacking.store=s3://bucket/prefix and the packing.s3 options")
class ExternalObjectStoreTest extends ObjectStoreContract {
    private final List<StoreOptions> opened = new ArrayList<>();

    @Override
    protected ObjectStore open() throws IOException {
        Map<String, String> raw = new HashMap<>();
        StoreOptions.OPTIONS.forEach(option -> {
            String value = System.getProperty(option.key());
            if (value != null) {
                raw.put(option.key(), value);
            }
        });
        raw.merge("packing.store", UUID.randomUUID().toString(), (location, unique) -> location + "/" + unique);
        StoreOptions options = StoreOptions.from(raw);
        opened.add(options);
        return ObjectStores.open(options);
    }

    @AfterEach
    void empty() throws IOException {
        for (StoreOptions options : opened) {
            try (ObjectStore store = ObjectStores.open(options)) {
                List<ObjectInfo> page = store.list("", "", 1_000);
                while (!page.isEmpty()) {
                    store.delete(keysOf(page));
                    page = store.list("", "", 1_000);
                }
            }
        }
    }
}
