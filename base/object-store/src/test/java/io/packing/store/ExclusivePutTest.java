// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExclusivePutTest {
    private static final String KEY = "blobs/3f/b";

    private final ObjectStore store = new InMemoryObjectStore();
    private final byte[] bytes = new byte[10_000];

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        bytes[bytes.length - 1] = 1;
        file = Files.write(folder.resolve("b"), bytes);
    }

    private void taken(byte[] by) throws IOException {
        store.put(KEY, ByteBuffer.wrap(by), PutCondition.NONE);
    }

    private boolean put(Path source) throws IOException {
        return ExclusivePut.put(store, KEY, source, OptionalInt.empty());
    }

    @Test
    void aFreeKeyIsTaken() throws IOException {
        assertThat(put(file)).isTrue();
        assertThat(store.get(KEY, 0, bytes.length)).isEqualTo(ByteBuffer.wrap(bytes));
    }

    @Test
    void anAttemptWhoseAnswerWasLostCounts() throws IOException {
        taken(bytes);
        assertThat(put(file)).isTrue();
    }

    @Test
    void somebodyElsesObjectStaysAsItIs() throws IOException {
        byte[] other = bytes.clone();
        other[bytes.length - 1] = 2;
        taken(other);
        assertThat(put(file)).as("another end").isFalse();
        assertThat(store.get(KEY, 0, other.length)).isEqualTo(ByteBuffer.wrap(other));

        taken(new byte[bytes.length + 1]);
        assertThat(put(file)).as("another length").isFalse();
    }

    @Test
    void aFileShorterThanTheTailIsComparedWhole() throws IOException {
        Path small = Files.write(folder.resolve("s"), new byte[] {1, 2, 3});
        taken(new byte[] {1, 2, 3});
        assertThat(put(small)).isTrue();
        taken(new byte[] {0, 2, 3});
        assertThat(put(small)).isFalse();
    }
}
