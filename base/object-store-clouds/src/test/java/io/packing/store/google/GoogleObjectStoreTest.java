// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.store.CloudStoreContract;
import io.packing.store.ObjectStores;
import io.packing.store.StoreOptions;
import io.packing.storeservers.ServerKind;
import io.packing.storeservers.StoreServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The contract of stores against a server with the protocol of Google Cloud Storage, in a process of its own. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GoogleObjectStoreTest extends CloudStoreContract {
    private static final AtomicInteger PREFIXES = new AtomicInteger();

    private @Nullable StoreServer server;

    @BeforeAll
    void startServer(@TempDir Path directory) throws IOException, InterruptedException {
        assumeTrue(ServerKind.FAKE_GCS.find().isPresent(), ServerKind.FAKE_GCS.howToInstall());
        server = StoreServer.start(ServerKind.FAKE_GCS, directory);
    }

    @AfterAll
    void stopServer() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    private URI endpoint() throws IOException {
        if (server == null) {
            throw new IOException("no server");
        }
        return server.endpoint();
    }

    @Override
    protected StoreOptions options(Map<String, String> more) throws IOException {
        return GoogleFixtures.options(endpoint(), "test-" + PREFIXES.incrementAndGet(), more);
    }

    @Override
    protected int mostInADelete() {
        return 100;
    }

    @Test
    void aBucketThatIsMissingIsNamed() {
        assertThatIOException()
                .isThrownBy(
                        () -> ObjectStores.open(GoogleFixtures.options(endpoint(), "no-such-bucket", "p", Map.of())))
                .withMessageContaining("gs://no-such-bucket/p")
                .withMessageContaining("no-such-bucket");
    }
}
