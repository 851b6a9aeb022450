// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.seed.Seed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of the puts of an object store whose bytes come while they are sent, and the parts that contracts of stores share. */
public abstract class StreamedPutContract {
    @TempDir
    protected Path temporary;

    protected ObjectStore store = new InMemoryObjectStore();

    /** Opens an empty store. */
    protected abstract ObjectStore open() throws IOException;

    /** Returns whether the store answers questions about a key while an object is put there. */
    protected boolean tellsOfKeysInAPut() {
        return true;
    }

    @BeforeEach
    void openStore() throws IOException {
        store = open();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    @Test
    void aStreamMakesAnObjectThatIsThereOnlyWhenItsLastByteIs() throws Exception {
        assumeTrue(store.takesStream(1));
        byte[] content = new byte[700_001];
        random().nextBytes(content);
        PipedOutputStream writer = new PipedOutputStream();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (InputStream bytes = new PipedInputStream(writer, 10_000)) {
            Future<?> put = threads.submit(() -> {
                store.put("streamed", new StreamedBody(content.length, bytes), PutCondition.IF_ABSENT);
                return "done";
            });
            writer.write(content, 0, content.length - 1);
            if (tellsOfKeysInAPut()) {
                assertThat(store.head("streamed")).isEmpty();
            }
            writer.write(content[content.length - 1]);
            writer.close();
            put.get();
            assertThat(store.getTail("streamed", content.length)).isEqualTo(ByteBuffer.wrap(content));
            assertThat(store.head("streamed").orElseThrow().length()).isEqualTo(content.length);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aStreamThatFailsOrEndsEarlyMakesNoObjectAndFailsWithItsOwnReason() throws IOException {
        assumeTrue(store.takesStream(1));
        byte[] half = new byte[400_000];
        InputStream cut = new SequenceInputStream(new ByteArrayInputStream(half), new Stalled());
        assertThatIOException()
                .isThrownBy(() -> store.put("cut", new StreamedBody(800_000, cut), PutCondition.IF_ABSENT))
                .withMessage("the writer stalls");
        assertThatIOException()
                .isThrownBy(() -> store.put(
                        "short", new StreamedBody(800_000, new ByteArrayInputStream(half)), PutCondition.IF_ABSENT))
                .withMessageContaining("400,000 bytes early");
        assertThat(store.head("cut")).isEmpty();
        assertThat(store.head("short")).isEmpty();
        assertThat(store.list("", "", 10)).isEmpty();
        assertThat(store.takesStream(1)).isTrue();
        store.put("cut", new StreamedBody(half.length, new ByteArrayInputStream(half)), PutCondition.IF_ABSENT);
        assertThat(store.head("cut").orElseThrow().length()).isEqualTo(half.length);
    }

    /** A stream that never has a byte. */
    private static final class Stalled extends InputStream {
        @Override
        public int read() throws IOException {
            throw new IOException("the writer stalls");
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            return read();
        }
    }

    @Test
    void aStreamDoesNotReplaceAnObjectThatIsThere() throws IOException {
        assumeTrue(store.takesStream(1));
        store.put("taken", bytes("first"), PutCondition.NONE);
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> store.put(
                        "taken",
                        new StreamedBody(300_000, new ByteArrayInputStream(new byte[300_000])),
                        PutCondition.IF_ABSENT));
        assertThat(text(store.getTail("taken", 10))).isEqualTo("first");
        store.put("taken", new StreamedBody(3, new ByteArrayInputStream("new".getBytes(UTF_8))), PutCondition.NONE);
        assertThat(text(store.getTail("taken", 10))).isEqualTo("new");
        assertThat(store.takesStream(1)).isTrue();
    }

    protected static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    protected static String text(ByteBuffer bytes) {
        return UTF_8.decode(bytes.duplicate()).toString();
    }

    protected static RandomGenerator random() {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(Seed.value());
    }
}
