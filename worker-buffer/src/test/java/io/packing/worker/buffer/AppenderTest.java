// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Durability;
import io.packing.blob.Codec;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.SealPolicy;
import io.packing.seed.Seed;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.sorted.SortedStores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The waits of a batch on a machine whose other threads always want the processor. */
class AppenderTest {
    /** A time longer than any test. */
    private static final long LONG_MILLIS = Duration.ofHours(5).toMillis();

    @TempDir
    private Path temp;

    /** An appender and its writers, where each yield of the processor takes a millisecond. */
    private static final class Busy implements AutoCloseable {
        private final SortedStore index;
        private final FileBuffer buffer;
        private final Appender appender;
        private long nextId = 1;
        private long nanos;
        private int yields;

        Busy(Path directory, Durability durability) throws IOException {
            index = SortedStores.open(
                    directory.resolve("index"),
                    new SortedStoreOptions(SortedStoreOptions.Engine.LEVELDB, 1 << 20, 1 << 20, 1 << 20));
            BufferLimits limits = new BufferLimits(
                    1L << 30,
                    1L << 30,
                    0,
                    SealPolicy.SealOptions.age(Duration.ofHours(1)),
                    Duration.ofSeconds(1),
                    Duration.ofMillis(500),
                    durability);
            buffer = FileBuffer.open(directory.resolve("segments"), limits, index, () -> nanos, Seed.random()::nextInt);
            appender = new Appender(
                    buffer,
                    Runnable::run,
                    new RunQueue(directory),
                    threads -> new BatchWait(this::stepAside, () -> {}, () -> true, () -> nanos));
        }

        private void stepAside() {
            yields++;
            nanos += 1_000_000;
        }

        void handOver(int files, Appender.Writer writer) throws IOException {
            for (int i = 0; i < files; i++) {
                FilePath path = new FilePath("/" + nextId);
                FileAttributes attributes = new FileAttributes(100, 0, "o", "g", 0644);
                BufferedFile file =
                        appender.append(nextId++, path, attributes, Codec.NONE, ByteBuffer.allocate(100), writer);
                assertThat(file.appended()).isNotDone();
            }
        }

        void answer(int files) {
            for (int i = 0; i < files; i++) {
                appender.answered();
            }
        }

        @Override
        public void close() throws IOException {
            appender.close();
            buffer.close();
            index.close();
        }
    }

    @Test
    void aFileOfTheOnlyWriterIsAppendedAtOnce() throws Exception {
        try (Busy busy = new Busy(temp, Durability.SYNCED)) {
            for (Appender.Writer writer : Appender.Writer.values()) {
                for (int i = 0; i < 100; i++) {
                    busy.handOver(1, writer);
                    busy.appender.step();
                    busy.answer(1);
                }
            }
            assertThat(busy.yields).isZero();
        }
    }

    @Test
    void aGroupWaitsForWritersThatWroteAMomentAgo() throws Exception {
        try (Busy busy = new Busy(temp, Durability.SYNCED)) {
            busy.handOver(8, Appender.Writer.STREAMS);
            busy.appender.step();
            assertThat(busy.yields).isZero();
            busy.answer(8);
            busy.handOver(3, Appender.Writer.STREAMS);
            busy.appender.step();
            assertThat(busy.yields).isPositive();
        }
    }

    @Test
    void filesThatWaitForTheirUploadDoNotMakeAGroupGoEarly() throws Exception {
        try (Busy busy = new Busy(temp, Durability.UPLOADED)) {
            busy.handOver(1, Appender.Writer.STREAMS);
            busy.appender.step();
            assertThat(busy.yields).isPositive();
        }
    }

    @Test
    @Timeout(60)
    void aStepThatWaitsForFilesEndsWhenItIsHurried() throws Exception {
        try (Busy busy = new Busy(temp, Durability.SYNCED)) {
            Thread waiting = new Thread(() -> {
                try {
                    busy.appender.step(LONG_MILLIS);
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            waiting.start();
            while (waiting.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            busy.appender.hurry();
            waiting.join();
            busy.handOver(1, Appender.Writer.CLOSES);
            busy.appender.step(LONG_MILLIS);
            // The queue is empty, and the step does not wait.
            busy.appender.step(LONG_MILLIS);
        }
    }
}
