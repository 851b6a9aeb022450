// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.storeservers.ServerKind;
import io.packing.storeservers.StoreServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The contract against an S3 server of another project, in a process of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RealServerContract extends ObjectStoreContract {
    private static final AtomicInteger PREFIXES = new AtomicInteger();

    private final ServerKind kind;
    private @Nullable StoreServer server;

    RealServerContract(ServerKind kind) {
        this.kind = kind;
    }

    @BeforeAll
    void startServer(@TempDir Path directory) throws IOException, InterruptedException {
        assumeTrue(kind.find().isPresent(), kind.howToInstall());
        server = StoreServer.start(kind, directory);
    }

    @AfterAll
    void stopServer() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    private StoreOptions options(Map<String, String> more) throws IOException {
        if (server == null) {
            throw new IOException("no server");
        }
        return S3Fixtures.real(server.endpoint(), "test-" + PREFIXES.incrementAndGet(), more);
    }

    @Override
    protected ObjectStore open() throws IOException {
        return ObjectStores.open(options(Map.of()));
    }

    @Test
    void aFileInPartsIsOnlyPutWholeWithItsChecksumAndOnce() throws IOException {
        byte[] content = new byte[12_000_000];
        random().nextBytes(content);
        Path file = Files.write(temporary.resolve("file"), content);
        CRC32C crc = new CRC32C();
        crc.update(content);
        int right = (int) crc.getValue();
        try (ObjectStore store = ObjectStores.open(options(Map.of("packing.s3.put.single.max", "5MB")))) {
            assertThatIOException()
                    .isThrownBy(() -> store.put("k", file, OptionalInt.of(right + 1), PutCondition.IF_ABSENT));
            assertThat(store.head("k")).isEmpty();
            store.put("k", file, OptionalInt.of(right), PutCondition.IF_ABSENT);
            assertThat(store.get("k", 0, content.length)).isEqualTo(ByteBuffer.wrap(content));
            assertThatExceptionOfType(PreconditionFailedException.class)
                    .isThrownBy(() -> store.put("k", file, OptionalInt.of(right), PutCondition.IF_ABSENT));
        }
    }

    @Test
    void wrongKeysAreRefusedAndNamedWithoutTheSecret() {
        assertThatIOException()
                .isThrownBy(() -> ObjectStores.open(options(Map.of("packing.s3.secret.key", "wr0ng-s3cret"))))
                .withMessageContaining("credentials")
                .withMessageNotContaining("wr0ng-s3cret");
    }
}
