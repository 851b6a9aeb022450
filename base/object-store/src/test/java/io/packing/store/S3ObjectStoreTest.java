// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerOptions;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** S3 against the server that runs inside the JVM. */
@NullUnmarked
class S3ObjectStoreTest extends ObjectStoreContract {
    private static final AtomicInteger PREFIXES = new AtomicInteger();
    private static S3Server server;

    @BeforeAll
    static void startServer(@TempDir Path directory) throws IOException {
        server = S3Server.start(S3ServerOptions.of(directory, "bucket"));
    }

    @AfterAll
    static void stopServer() throws IOException {
        server.close();
    }

    @Override
    protected ObjectStore open() throws IOException {
        return ObjectStores.open(S3Fixtures.options(server, "s3://bucket/test-" + PREFIXES.incrementAndGet()));
    }

    @Override
    protected boolean listsInUtf8Order() {
        return false;
    }

    /** Parts have checksums of their own; that of the whole file must hold all the same. */
    @Test
    void aFileInPartsIsOnlyPutWithTheChecksumThatItShouldHave(@TempDir Path directory) throws IOException {
        StoreOptions options = S3Fixtures.options(
                server.endpoint(),
                "s3://bucket/parts-" + PREFIXES.incrementAndGet(),
                Map.of("packing.s3.put.single.max", "5MB"));
        byte[] content = new byte[12_000_000];
        Seed.random().nextBytes(content);
        Path file = Files.write(directory.resolve("file"), content);
        CRC32C crc = new CRC32C();
        crc.update(content);
        int right = (int) crc.getValue();
        try (ObjectStore store = ObjectStores.open(options)) {
            assertThatIOException()
                    .isThrownBy(() -> store.put("k", file, OptionalInt.of(right + 1), PutCondition.IF_ABSENT));
            assertThat(store.head("k")).isEmpty();
            store.put("k", file, OptionalInt.of(right), PutCondition.IF_ABSENT);
            assertThat(store.get("k", 0, content.length)).isEqualTo(ByteBuffer.wrap(content));
        }
    }
}
