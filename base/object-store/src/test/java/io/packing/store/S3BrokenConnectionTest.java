// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static io.packing.store.ObjectStoreContract.bytes;
import static io.packing.store.ObjectStoreContract.text;
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
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers of the store that break off or get lost. */
@NullUnmarked
class S3BrokenConnectionTest {
    private static final int LARGE = 3 << 20;

    @TempDir
    private Path temporary;

    private S3Server server;
    private BreakableWire wire;
    private ObjectStore store;
    private final RequestMeter meter = new RequestMeter();

    @BeforeEach
    void open() throws IOException {
        server = S3Server.start(S3ServerOptions.of(Files.createDirectory(temporary.resolve("s3")), "bucket"));
        wire = new BreakableWire(server.endpoint());
        store = ObjectStores.open(
                S3Fixtures.options(wire.endpoint(), "s3://bucket/p", Map.of("packing.s3.put.single.max", "5MB")),
                meter);
    }

    @AfterEach
    void close() throws IOException {
        store.close();
        wire.close();
        server.close();
    }

    private static byte[] content(int length) {
        byte[] content = new byte[length];
        ObjectStoreContract.random().nextBytes(content);
        return content;
    }

    @Test
    void getThatBreaksOffIsAskedForAgain() throws IOException {
        byte[] content = content(LARGE);
        store.put("k", ByteBuffer.wrap(content), PutCondition.NONE);
        wire.cutNextAnswers(2, LARGE / 2);
        assertThat(store.get("k", 0, LARGE)).isEqualTo(ByteBuffer.wrap(content));
        wire.cutNextAnswers(1, LARGE / 2);
        Path target = temporary.resolve("target");
        store.download("k", target);
        assertThat(target).hasBinaryContent(content);
        assertThat(wire.cutsLeft()).isZero();
        assertThat(meter.snapshot().failed()).isEqualTo(3);
    }

    @Test
    void buffersOfAGetThatBreaksOffAreFilledAnew() throws IOException {
        byte[] content = content(LARGE);
        store.put("k", ByteBuffer.wrap(content), PutCondition.NONE);
        wire.cutNextAnswers(2, LARGE / 2);
        byte[] into = new byte[LARGE];
        List<ByteBuffer> halves = List.of(
                ByteBuffer.wrap(into, 0, LARGE / 3).slice(),
                ByteBuffer.wrap(into, LARGE / 3, LARGE - LARGE / 3).slice());
        assertThat(store.get("k", 0, halves)).isEqualTo(LARGE);
        assertThat(into).isEqualTo(content);
        assertThat(wire.cutsLeft()).isZero();
    }

    @Test
    void conditionalPutWhoseAnswerIsLostCountsAsOurs() throws IOException {
        wire.cutNextAnswers(1, 0);
        store.put("k", bytes("mine"), PutCondition.IF_ABSENT);
        assertThat(wire.cutsLeft()).isZero();
        assertThat(text(store.getTail("k", 10))).isEqualTo("mine");
        // The heads are the lost attempt, the repeated one, and the question about the writer of the object.
        assertThat(server.metrics().prefix("p").put()).isEqualTo(2);
        assertThat(meter.snapshot().head()).isEqualTo(2);
    }

    @Test
    void conditionalPutOverAnEqualObjectOfAnotherWriterIsLostEvenAfterARetry() throws IOException {
        store.put("k", bytes("same"), PutCondition.IF_ABSENT);
        wire.cutNextAnswers(1, 0);
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> store.put("k", bytes("same"), PutCondition.IF_ABSENT));
        assertThat(wire.cutsLeft()).isZero();
    }

    @Test
    void largeFileGoesInPartsAndComesBack() throws IOException {
        byte[] content = content((11 << 20) + 7);
        Path source = Files.write(temporary.resolve("source"), content);
        RequestMeter.Snapshot before = meter.snapshot();
        store.put("big", source, PutCondition.IF_ABSENT);
        RequestMeter.Snapshot sent = meter.snapshot().since(before);
        // Start, three parts, completion: S3 bills each as a PUT.
        assertThat(sent.put()).isEqualTo(5);
        assertThat(sent.bytesPut()).isEqualTo(content.length);
        Path target = temporary.resolve("target");
        store.download("big", target);
        assertThat(target).hasBinaryContent(content);
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> store.put("big", source, PutCondition.IF_ABSENT));
    }
}
