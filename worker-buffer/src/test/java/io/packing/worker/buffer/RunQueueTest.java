// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunQueueTest {
    @TempDir
    private Path proc;

    @BeforeEach
    void fourProcessors() throws IOException {
        Files.writeString(proc.resolve("stat"), "cpu  9 9\ncpu0 1 2\ncpu1 1 2\ncpu2 1 2\ncpu3 1 2\nintr 7\n");
    }

    private void loadavg(String line) throws IOException {
        Files.writeString(proc.resolve("loadavg"), line);
    }

    @ParameterizedTest
    @CsvSource({"1, false", "3, false", "4, true", "217, true"})
    void isLongWhenOthersKeepAllProcessorsButOneBusy(int running, boolean expected) throws IOException {
        loadavg("0.50 12.40 0.30 %d/345 678\n".formatted(running));
        try (RunQueue queue = new RunQueue(proc)) {
            assertThat(queue.isLong()).isEqualTo(expected);
        }
    }

    @Test
    void looksEachTime() throws IOException {
        loadavg("0.50 0.40 0.30 4/345 678\n");
        try (RunQueue queue = new RunQueue(proc)) {
            assertThat(queue.isLong()).isTrue();
            loadavg("0.50 0.40 0.30 3/345 678\n");
            assertThat(queue.isLong()).isFalse();
        }
    }

    @Test
    void oneProcessorHasNoOthers() throws IOException {
        Files.writeString(proc.resolve("stat"), "cpu  9 9\ncpu0 1 2\n");
        loadavg("0.50 0.40 0.30 1/345 678\n");
        try (RunQueue queue = new RunQueue(proc)) {
            assertThat(queue.isLong()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0.50 0.40 0.30", "a b c d/e f", "0.50 0.40 0.30 9 345"})
    void aLineThatIsNoneOfLinuxIsNoQueue(String line) throws IOException {
        loadavg(line);
        try (RunQueue queue = new RunQueue(proc)) {
            assertThat(queue.isLong()).isFalse();
        }
    }

    @Test
    void noFilesAreNoQueue() {
        try (RunQueue queue = new RunQueue(proc.resolve("none"))) {
            assertThat(queue.isLong()).isFalse();
        }
    }
}
