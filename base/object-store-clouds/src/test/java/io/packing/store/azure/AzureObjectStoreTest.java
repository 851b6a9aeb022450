// SPDX-License-Identifier: Apache-2.0
package io.packing.store.azure;

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
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The contract of stores against a server with the protocol of Azure Blob Storage, in a process of its own. */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AzureObjectStoreTest extends CloudStoreContract {
    private static final AtomicInteger PREFIXES = new AtomicInteger();

    private @Nullable StoreServer server;

    @BeforeAll
    void startServer(@TempDir Path directory) throws IOException, InterruptedException {
        assumeTrue(ServerKind.AZURITE.find().isPresent(), ServerKind.AZURITE.howToInstall());
        server = StoreServer.start(ServerKind.AZURITE, directory);
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
        return AzureFixtures.options(endpoint(), "test-" + PREFIXES.incrementAndGet(), more);
    }

    @Override
    protected int mostInADelete() {
        return 256;
    }

    /** Azurite compares characters as JavaScript does. */
    @Override
    protected boolean listsInUtf8Order() {
        return false;
    }

    /** Azure counts a backslash as a slash, which no key of a mount meets. */
    @Override
    protected List<String> legalNames() {
        return super.legalNames().stream().filter(name -> !name.contains("\\")).toList();
    }

    @Test
    void aBucketThatIsMissingIsNamed() {
        assertThatIOException()
                .isThrownBy(() -> ObjectStores.open(AzureFixtures.options(endpoint(), "no-such-bucket", "p", Map.of())))
                .withMessageContaining("abfs://no-such-bucket@access/p")
                .withMessageContaining("no-such-bucket");
    }
}
