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
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The causes for which the open segment is sealed. The clock is the test's, so that no thread sleeps. */
class SealingTest {
    private static final int FILE = 10_000;
    private static final long IDLE = 5 * FILE;
    private static final long MAX = 20 * FILE;

    private static final Sealing.Outgoing NOTHING_OUT = new Sealing.Outgoing() {
        @Override
        public boolean waits() {
            return false;
        }

        @Override
        public boolean isUnderWay() {
            return false;
        }
    };

    @TempDir
    private Path temp;

    /** A buffer that one thread fills, at times that the test sets. */
    private static final class Filling implements AutoCloseable {
        private final SortedStore index;
        private final FileBuffer buffer;
        private final Appender appender;
        private long nanos;
        private long nextId = 1;

        Filling(Path directory, long idleBytes) throws IOException {
            this(directory, idleBytes, MAX);
        }

        Filling(Path directory, long idleBytes, long maxBytes) throws IOException {
            this(directory, idleBytes, maxBytes, Duration.ofSeconds(5), 0);
        }

        Filling(Path directory, long idleBytes, long maxBytes, Duration sealAfter, double putsPerDay)
                throws IOException {
            index = SortedStores.open(
                    directory.resolve("index"),
                    new SortedStoreOptions(SortedStoreOptions.Engine.LEVELDB, 1 << 20, 1 << 20, 1 << 20));
            buffer = FileBuffer.open(
                    directory.resolve("segments"),
                    new BufferLimits(
                            1L << 30,
                            maxBytes,
                            idleBytes,
                            new SealPolicy.SealOptions(sealAfter, SealPolicy.QUIET, putsPerDay),
                            Duration.ofSeconds(1),
                            Duration.ofMillis(500),
                            Durability.BUFFERED),
                    index,
                    () -> nanos,
                    Seed.random()::nextInt);
            appender = new Appender(buffer, Scheduling.alone(() -> 0));
        }

        void write(int files) throws IOException, InterruptedException {
            for (int i = 0; i < files; i++) {
                FilePath path = new FilePath("/" + nextId);
                FileAttributes attributes = new FileAttributes(FILE, 0, "o", "g", 0644);
                BufferedFile file = appender.append(nextId++, path, attributes, Codec.NONE, ByteBuffer.allocate(FILE));
                appender.step();
                buffer.granted(file, file.id());
            }
        }

        void secondsPass(long seconds) throws IOException, InterruptedException {
            nanos += Duration.ofSeconds(seconds).toNanos();
            appender.step();
        }

        void millisPass(long millis) throws IOException, InterruptedException {
            nanos += Duration.ofMillis(millis).toNanos();
            appender.step();
        }

        void commit(long fileId) throws IOException, InterruptedException {
            buffer.forget(fileId);
            appender.step();
        }

        Optional<BufferSegment> sealed() {
            return buffer.selection().takeSegment(false);
        }

        void pushed(BufferSegment segment) throws IOException, InterruptedException {
            buffer.selection().release(segment, false);
            appender.step();
        }

        @Override
        public void close() throws IOException {
            buffer.close();
            index.close();
        }
    }

    @Test
    void filesThatWaitAreSealedByTheTermsOfNow() throws Exception {
        try (Filling filling = new Filling(temp, 0, MAX, Duration.ofHours(1), 0)) {
            filling.buffer.limit(1L << 30, SealPolicy.SealOptions.age(Duration.ofHours(1)));
            filling.write(1);
            filling.secondsPass(60);
            assertThat(filling.sealed()).isEmpty();
            filling.buffer.limit(1L << 30, SealPolicy.SealOptions.age(Duration.ofSeconds(30)));
            filling.secondsPass(0);
            assertThat(filling.sealed()).map(BufferSegment::cause).contains(SealCause.AGE);
        }
    }

    @Test
    void aBlobIsFullByTheBytesOfItsFilesAndNotByTheirHeaders() throws Exception {
        try (Filling filling = new Filling(temp, 0)) {
            filling.write((int) (MAX / FILE) - 1);
            assertThat(filling.sealed()).isEmpty();
            filling.write(1);
            assertThat(filling.sealed()).map(BufferSegment::cause).contains(SealCause.SIZE);
        }
    }

    @Test
    void nothingIsSealedBeforeItsSizeOrItsAge() throws IOException, InterruptedException {
        try (Filling filling = new Filling(temp, IDLE)) {
            filling.write(4);
            assertThat(filling.sealed()).isEmpty();
            filling.secondsPass(5);
            assertThat(filling.sealed()).isPresent();
        }
    }

    @Test
    void theOldestFileAgesUntilItIsPushed() throws IOException, InterruptedException {
        try (Filling filling = new Filling(temp, IDLE)) {
            filling.secondsPass(100);
            assertThat(filling.buffer.oldest()).isZero();
            filling.write(1);
            filling.secondsPass(3);
            filling.write(1);
            filling.secondsPass(1);
            assertThat(filling.buffer.oldest()).isEqualTo(Duration.ofSeconds(4));
            filling.secondsPass(30);
            BufferSegment old = filling.sealed().orElseThrow();
            filling.write(1);
            filling.secondsPass(1);
            assertThat(filling.buffer.oldest()).as("sealed and not pushed").isEqualTo(Duration.ofSeconds(35));
            filling.pushed(old);
            filling.commit(1);
            filling.commit(2);
            assertThat(filling.buffer.oldest()).isEqualTo(Duration.ofSeconds(1));
        }
    }

    @Test
    void theFirstSegmentIsSealedEarlyAndTheNextWhenTheFirstIsPushed() throws IOException, InterruptedException {
        try (Filling filling = new Filling(temp, IDLE)) {
            filling.write(6);
            BufferSegment first = filling.sealed().orElseThrow();
            filling.write(10);
            assertThat(filling.sealed()).as("while a push is under way").isEmpty();
            filling.pushed(first);
            assertThat(filling.sealed()).as("when it is done").isPresent();
        }
    }

    @Test
    void aFullSegmentIsSealedWhateverIsUnderWay() throws IOException, InterruptedException {
        try (Filling filling = new Filling(temp, IDLE)) {
            filling.write(6);
            assertThat(filling.sealed()).isPresent();
            filling.write(20);
            assertThat(filling.sealed()).isPresent();
        }
    }

    @Test
    void aFlushOfNothingDoesNotSealTheNextFileByItself() throws IOException, InterruptedException {
        try (Filling filling = new Filling(temp, IDLE)) {
            filling.buffer.requestRoll();
            filling.secondsPass(0);
            filling.write(1);
            filling.secondsPass(0);
            assertThat(filling.sealed()).isEmpty();
        }
    }

    /** The appender does not look between the two. */
    @Test
    void aFlushDoesNotSealAFileThatIsWrittenRightAfterIt() throws IOException, InterruptedException {
        try (Filling filling = new Filling(temp, 0)) {
            filling.buffer.requestRoll();
            filling.nanos++;
            filling.write(1);
            filling.secondsPass(0);
            assertThat(filling.sealed()).isEmpty();
            filling.buffer.requestRoll();
            filling.secondsPass(0);
            assertThat(filling.sealed()).isPresent();
        }
    }

    private static Sealing sealing(SealPolicy.SealOptions terms, LongSupplier nanos) {
        BufferLimits limits = new BufferLimits(
                1L << 30, MAX, IDLE, terms, Duration.ofSeconds(1), Duration.ofMillis(500), Durability.BUFFERED);
        return new Sealing(limits, nanos, new Doorbell());
    }

    @Test
    @Timeout(60)
    void whoeverAsksNeedNotWaitUntilItIsTime() throws IOException, InterruptedException {
        try (Filling filling = new Filling(temp, 0)) {
            filling.write(1);
            filling.secondsPass(0);
            assertThat(filling.sealed()).isEmpty();
            filling.buffer.requestRoll();
            filling.appender.step(Duration.ofHours(5).toMillis());
            assertThat(filling.sealed()).isPresent();
        }
    }

    @Test
    void nothingIsDueBeforeItsTimeUnlessSomebodyAsks() throws IOException, InterruptedException {
        long[] now = {0};
        Sealing sealing =
                sealing(new SealPolicy.SealOptions(Duration.ofSeconds(60), Duration.ofSeconds(5), 0), () -> now[0]);
        try (Filling filling = new Filling(temp, 0)) {
            filling.write(1);
            BufferSegment open = filling.buffer.contents().get(0);
            sealing.opened(open);
            for (long millis : new long[] {0, 1, 4_999}) {
                now[0] = Duration.ofMillis(millis).toNanos();
                assertThat(sealing.restNanos(open))
                        .isEqualTo(Duration.ofSeconds(5).toNanos() - now[0]);
                assertThat(sealing.cause(open, 1, NOTHING_OUT)).isEmpty();
            }
            now[0] += sealing.restNanos(open);
            assertThat(sealing.cause(open, 1, NOTHING_OUT)).contains(SealCause.QUIET);
            now[0] = 0;
            for (Runnable ask : List.<Runnable>of(sealing::order, sealing::press, sealing::wantUpload)) {
                ask.run();
                assertThat(sealing.restNanos(open)).isZero();
                sealing.met();
                assertThat(sealing.restNanos(open)).isPositive();
            }
            // The segment is worth a blob, and the way to the store may become free at any time.
            filling.write((int) (IDLE / FILE));
            assertThat(sealing.restNanos(open)).isZero();
        }
    }

    @Test
    void pressureThatIsOverDoesNotSealTheNextFileByItself() throws IOException, InterruptedException {
        Sealing sealing = sealing(SealPolicy.SealOptions.age(Duration.ofSeconds(5)), () -> 0);
        try (Filling filling = new Filling(temp, 0)) {
            filling.write(1);
            BufferSegment open = filling.buffer.contents().get(0);
            sealing.press();
            assertThat(sealing.cause(open, 1, NOTHING_OUT)).contains(SealCause.PRESSURE);
            sealing.met();
            assertThat(sealing.cause(open, 1, NOTHING_OUT)).isEmpty();
        }
    }

    @Test
    void withoutEarlySealingOnlyFullSegmentsAreSealed() throws IOException, InterruptedException {
        try (Filling filling = new Filling(temp, 0)) {
            filling.write(19);
            assertThat(filling.sealed()).isEmpty();
            filling.write(1);
            assertThat(filling.sealed()).isPresent();
        }
    }

    @Test
    void closersThatWaitForAnUploadShareOneBlobWithThoseWhoComeSoon() throws IOException, InterruptedException {
        try (Filling filling = new Filling(temp, 0)) {
            filling.write(1);
            filling.buffer.requestUpload();
            for (int i = 0; i < 5; i++) {
                filling.millisPass(8);
                assertThat(filling.sealed()).as("while others come").isEmpty();
                filling.write(1);
                filling.buffer.requestUpload();
            }
            filling.millisPass(10);
            BufferSegment first = filling.sealed().orElseThrow();
            assertThat(filling.buffer.selection().living(first)).hasSize(6);
        }
    }

    @Test
    void aSingleCloserWaitsAFiftiethOfTheWindowAndAnEndlessCrowdNoLongerThanTheWindow()
            throws IOException, InterruptedException {
        try (Filling filling = new Filling(temp, 0, 100 * MAX)) {
            filling.write(1);
            filling.buffer.requestUpload();
            filling.millisPass(10);
            BufferSegment alone = filling.sealed().orElseThrow();
            filling.pushed(alone);
            filling.commit(1);
            filling.millisPass(100);
            int files = 0;
            while (filling.sealed().isEmpty()) {
                filling.write(1);
                filling.buffer.requestUpload();
                filling.millisPass(5);
                files++;
                assertThat(files).isLessThan(120);
            }
            assertThat(files).isBetween(99, 101);
        }
    }

    @Test
    void thoseWhoWaitForAnUploadDoNotPushWhileAnotherPushIsUnderWay() throws IOException, InterruptedException {
        try (Filling filling = new Filling(temp, 0)) {
            filling.write(1);
            filling.buffer.requestUpload();
            filling.millisPass(10);
            BufferSegment first = filling.sealed().orElseThrow();
            filling.write(1);
            filling.buffer.requestUpload();
            filling.millisPass(1_000);
            assertThat(filling.sealed()).isEmpty();
            filling.pushed(first);
            filling.commit(1);
            filling.millisPass(9);
            assertThat(filling.sealed()).as("its closers may come back").isEmpty();
            filling.millisPass(1);
            assertThat(filling.sealed()).isPresent();
        }
    }

    @Test
    void filesOfOneWhoPausesAreSealedSoonAndFilesThatKeepComingAreNot() throws IOException, InterruptedException {
        try (Filling filling = new Filling(temp, 0, 1L << 30, Duration.ofMinutes(15), 0)) {
            for (int i = 0; i < 300; i++) {
                filling.write(1);
                filling.secondsPass(3);
            }
            filling.write(1);
            BufferSegment old = filling.sealed().orElseThrow();
            assertThat(filling.buffer.selection().living(old)).hasSize(300);
            assertThat(old.cause()).isEqualTo(SealCause.AGE);
            filling.secondsPass(4);
            assertThat(filling.sealed()).isEmpty();
            filling.secondsPass(1);
            assertThat(filling.sealed().orElseThrow().cause()).isEqualTo(SealCause.QUIET);
        }
    }

    @Test
    void aBudgetPaysForBlobsThatCouldWait() throws IOException, InterruptedException {
        try (Filling filling = new Filling(temp, 0, 1L << 30, Duration.ofMinutes(15), 24 * 60)) {
            int blobs = 0;
            for (int second = 0; second < 600; second++) {
                filling.write(1);
                filling.secondsPass(1);
                Optional<BufferSegment> sealed = filling.sealed();
                if (sealed.isPresent()) {
                    assertThat(sealed.get().cause()).isEqualTo(SealCause.BUDGET);
                    blobs++;
                }
            }
            assertThat(blobs).isBetween(10, 11);
        }
    }
}
