// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static io.packing.store.ObjectStoreContract.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An answer that ends after any number of bytes, in its status line, its headers or its body, never counts as a whole
 * one.
 */
@NullUnmarked
@Timeout(120)
class EveryCutTest {
    @TempDir
    private Path temporary;

    private S3Server server;
    private BreakableWire wire;
    private ObjectStore store;

    private interface Step {
        void run(int cut) throws IOException;
    }

    @BeforeEach
    void open() throws IOException {
        server = S3Server.start(S3ServerOptions.of(Files.createDirectory(temporary.resolve("s3")), "bucket"));
        wire = new BreakableWire(server.endpoint());
        StoreOptions options = S3Fixtures.options(wire.endpoint(), "s3://bucket/p", Map.of());
        store = new S3ObjectStore(
                S3Connection.open(options),
                options,
                (StoreLocation.Bucket) options.location(),
                (kind, bytes, outcome) -> {},
                System::nanoTime,
                millis -> {},
                ObjectStoreContract.random());
    }

    @AfterEach
    void close() throws IOException {
        store.close();
        wire.close();
        server.close();
    }

    /** Ends the step's first answer after 0 bytes, and after one byte more each time, until it is whole. */
    private void cutAfterEachByte(Step step) throws IOException {
        int cut = 0;
        do {
            wire.cutNextAnswers(1, cut);
            step.run(cut);
            cut++;
        } while (wire.cutsLeft() == 0);
        wire.cutNextAnswers(0, 0);
        assertThat(cut).as("bytes of the answer").isGreaterThan("HTTP/1.1 200 OK".length());
    }

    @Test
    void aListing() throws IOException {
        for (int i = 0; i < 3; i++) {
            store.put("k" + i, bytes("content"), PutCondition.NONE);
        }
        List<ObjectInfo> all = store.list("", "", 10);
        assertThat(all).hasSize(3);
        cutAfterEachByte(cut ->
                assertThat(store.list("", "", 10)).as("cut after %d", cut).isEqualTo(all));
    }

    @Test
    void aHead() throws IOException {
        store.put("k", ByteBuffer.allocate(12_345), PutCondition.NONE);
        store.put("empty", bytes(""), PutCondition.NONE);
        for (String key : List.of("k", "empty", "none")) {
            Optional<ObjectInfo> listed = store.list(key, "", 1).stream().findFirst();
            assertThat(store.head(key)).isEqualTo(listed);
            cutAfterEachByte(
                    cut -> assertThat(store.head(key)).as("cut after %d", cut).isEqualTo(listed));
        }
    }

    @Test
    void aRead() throws IOException {
        ByteBuffer content = bytes("0123456789");
        store.put("k", content.duplicate(), PutCondition.NONE);
        cutAfterEachByte(
                cut -> assertThat(store.get("k", 2, 5)).as("cut after %d", cut).isEqualTo(bytes("23456")));
        cutAfterEachByte(cut ->
                assertThat(store.getTail("k", 100)).as("cut after %d", cut).isEqualTo(content));
        cutAfterEachByte(cut -> {
            Path target = temporary.resolve("target" + cut);
            store.download("k", target);
            assertThat(target).as("cut after %d", cut).hasContent("0123456789");
        });
        cutAfterEachByte(cut -> assertThatExceptionOfType(ObjectNotFoundException.class)
                .as("cut after %d", cut)
                .isThrownBy(() -> store.get("none", 0, 1)));
    }

    @Test
    void aPut() throws IOException {
        cutAfterEachByte(cut -> {
            store.put("k" + cut, bytes("content"), PutCondition.NONE);
            store.put("once" + cut, bytes("content"), PutCondition.IF_ABSENT);
        });
        cutAfterEachByte(cut -> store.put("mine" + cut, bytes("content"), PutCondition.IF_ABSENT));
        cutAfterEachByte(cut -> assertThatExceptionOfType(PreconditionFailedException.class)
                .as("cut after %d", cut)
                .isThrownBy(() -> store.put("k0", bytes("other"), PutCondition.IF_ABSENT)));
    }

    /** The answer about the writer of an object follows a lost one. */
    @Test
    void theQuestionWhoseAnObjectIs() throws IOException {
        long cut = 0;
        do {
            wire.cutConnections(List.of(0L, cut));
            store.put("k" + cut, bytes("content"), PutCondition.IF_ABSENT);
            cut++;
        } while (wire.cutsLeft() == 0);
        wire.cutNextAnswers(0, 0);
        assertThat(cut).as("bytes of both answers").isGreaterThan(200);
    }

    @Test
    void aDeletion() throws IOException {
        cutAfterEachByte(cut -> {
            store.delete(List.of("k", "l"));
            assertThat(store.list("", "", 10)).as("cut after %d", cut).isEmpty();
        });
    }
}
