// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TrainingTest {
    private final Random random = Seed.random();

    private static final class Bytes implements Training.Sample {
        private final byte[] bytes;
        private final boolean there;

        Bytes(byte[] bytes, boolean there) {
            this.bytes = bytes;
            this.there = there;
        }

        @Override
        public long length() {
            return bytes.length;
        }

        @Override
        public Optional<ByteBuffer> read() {
            return there ? Optional.of(ByteBuffer.wrap(bytes)) : Optional.empty();
        }
    }

    private Bytes alike(boolean there) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            text.append("{\"user\":\"%x\",\"event\":\"packed\",\"worker\":\"worker-%d\"}\n"
                    .formatted(random.nextInt(), random.nextInt(9)));
        }
        return new Bytes(text.toString().getBytes(StandardCharsets.US_ASCII), there);
    }

    private Bytes noise() {
        byte[] bytes = new byte[4_000];
        random.nextBytes(bytes);
        return new Bytes(bytes, true);
    }

    @Test
    void manySmallFilesThatAreAlikeGetADictionary() throws IOException {
        List<Bytes> files = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            files.add(alike(true));
        }
        assertThat(Training.dictionary(files)).isPresent();
    }

    @Test
    void noiseFewFilesAndLargeFilesGetNone() throws IOException {
        List<Bytes> noise = new ArrayList<>();
        List<Bytes> large = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            noise.add(noise());
            large.add(new Bytes(new byte[Training.SMALL_BYTES + 1], true));
        }
        assertThat(Training.dictionary(noise)).isEmpty();
        assertThat(Training.dictionary(large)).isEmpty();
        assertThat(Training.dictionary(List.of(alike(true), alike(true)))).isEmpty();
        assertThat(Training.dictionary(List.of())).isEmpty();
    }

    @Test
    void filesThatAreDeletedMeanwhileTeachNothing() throws IOException {
        List<Bytes> files = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            files.add(alike(false));
        }
        assertThat(Training.dictionary(files)).isEmpty();
    }
}
