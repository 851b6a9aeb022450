// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.store.ObjectStore;
import io.packing.store.ObjectStoreContract;
import io.packing.store.ObjectStores;
import io.packing.store.PreconditionFailedException;
import io.packing.store.PutCondition;
import io.packing.store.RequestMeter;
import io.packing.store.StoreOptions;
import io.packing.storeservers.ServerKind;
import io.packing.storeservers.StoreServer;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
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
class GoogleObjectStoreTest extends ObjectStoreContract {
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

    private StoreOptions options(Map<String, String> more) throws IOException {
        return GoogleFixtures.options(endpoint(), "test-" + PREFIXES.incrementAndGet(), more);
    }

    @Override
    protected ObjectStore open() throws IOException {
        return ObjectStores.open(options(Map.of()));
    }

    @Test
    void aFileInPartsIsOnlyPutWholeWithItsChecksumAndOnce() throws IOException {
        byte[] content = new byte[12_000_001];
        random().nextBytes(content);
        Path file = Files.write(temporary.resolve("file"), content);
        CRC32C crc = new CRC32C();
        crc.update(content);
        int right = (int) crc.getValue();
        RequestMeter meter = new RequestMeter();
        try (ObjectStore store = ObjectStores.open(options(Map.of("packing.s3.put.single.max", "5MB")), meter)) {
            assertThatIOException()
                    .isThrownBy(() -> store.put("k", file, OptionalInt.of(right + 1), PutCondition.IF_ABSENT));
            assertThat(store.head("k")).isEmpty();
            long before = meter.snapshot().put();
            store.put("k", file, OptionalInt.of(right), PutCondition.IF_ABSENT);
            assertThat(meter.snapshot().put() - before)
                    .as("a session and three parts")
                    .isEqualTo(4);
            assertThat(store.get("k", 0, content.length)).isEqualTo(ByteBuffer.wrap(content));
            assertThatExceptionOfType(PreconditionFailedException.class)
                    .isThrownBy(() -> store.put("k", file, OptionalInt.of(right), PutCondition.IF_ABSENT));
        }
    }

    @Test
    void manyObjectsAreDeletedByARequestForAHundred() throws IOException {
        RequestMeter meter = new RequestMeter();
        try (ObjectStore store = ObjectStores.open(options(Map.of()), meter)) {
            List<String> keys = new ArrayList<>();
            for (int i = 0; i < 150; i++) {
                keys.add("many/%03d".formatted(i));
                store.put(keys.get(i), bytes("x"), PutCondition.NONE);
            }
            assertThat(keysOf(store.list("many/", "many/099", 20))).isEqualTo(keys.subList(100, 120));
            keys.add("many/never");
            store.delete(keys);
            assertThat(store.list("", "", 10)).isEmpty();
            assertThat(meter.snapshot().delete()).isEqualTo(2);
            assertThat(meter.snapshot().put()).isEqualTo(150);
        }
    }

    @Test
    void aBucketThatIsMissingIsNamed() {
        assertThatIOException()
                .isThrownBy(
                        () -> ObjectStores.open(GoogleFixtures.options(endpoint(), "no-such-bucket", "p", Map.of())))
                .withMessageContaining("gs://no-such-bucket/p")
                .withMessageContaining("no-such-bucket");
    }

    @Test
    void optionsOfS3AloneAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ObjectStores.open(options(Map.of("packing.s3.sse.mode", "AES256"))))
                .withMessageContaining("options of S3 only");
    }
}
