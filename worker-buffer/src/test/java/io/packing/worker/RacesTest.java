// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Outcome;
import io.packing.blob.BlobName;
import io.packing.blob.FilePath;
import io.packing.store.FaultyObjectStore;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.RequestKind;
import io.packing.worker.api.PackingFileSystem;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A change of a file wins over the work of a worker that is under way with it. */
@Timeout(60)
final class RacesTest {
    private static final byte[] FIRST = MountRig.bytes(1, 5_000);
    private static final byte[] SECOND = MountRig.bytes(2, 6_000);
    private static final byte[] OTHER = MountRig.bytes(3, 7_000);

    @TempDir
    private Path temp;

    /**
     * A clock that holds its first caller when armed. Without writers that is the packing thread, between the seal and
     * the push of a blob.
     */
    private static final class HoldingClock extends Clock {
        private final AtomicBoolean armed = new AtomicBoolean();
        private final CountDownLatch arrived = new CountDownLatch(1);
        private final CountDownLatch open = new CountDownLatch(1);

        @Override
        public Instant instant() {
            if (armed.getAndSet(false)) {
                arrived.countDown();
                try {
                    open.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return Clock.systemUTC().instant();
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    /** A clock that stands where a test sets it. */
    private static final class SetClock extends Clock {
        private volatile Instant now = Instant.parse("2030-01-01T00:00:00Z");

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private enum Moment {
        BUFFERED,
        SEALING,
        PUSHING
    }

    private enum Change {
        DELETE,
        RENAME,
        OVERWRITE_HERE,
        OVERWRITE_AT_ANOTHER_WORKER;

        void apply(MountRig rig) throws IOException {
            FilePath path = new FilePath("/d/a");
            switch (this) {
                case DELETE ->
                    assertThat(rig.mounts.get(1).bdt().delete(path, false)).isEqualTo(Outcome.DONE);
                case RENAME ->
                    assertThat(rig.mounts.get(1).bdt().rename(path, new FilePath("/d/c")))
                            .isEqualTo(Outcome.DONE);
                case OVERWRITE_HERE -> MountRig.write(rig.mounts.get(0), "/d/a", SECOND, MountRig.OVERWRITE);
                case OVERWRITE_AT_ANOTHER_WORKER ->
                    MountRig.write(rig.mounts.get(1), "/d/a", SECOND, MountRig.OVERWRITE);
            }
        }

        void check(MountRig rig, String when) throws IOException {
            for (PackingFileSystem mount : rig.mounts) {
                assertThat(MountRig.read(mount, "/d/b")).as(when).isEqualTo(OTHER);
                if (this == DELETE || this == RENAME) {
                    assertThat(mount.bdt().stat(new FilePath("/d/a"))).as(when).isEmpty();
                } else {
                    assertThat(MountRig.read(mount, "/d/a")).as(when).isEqualTo(SECOND);
                }
                if (this == RENAME) {
                    assertThat(MountRig.read(mount, "/d/c")).as(when).isEqualTo(FIRST);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BUFFERED, fifo",
        "SEALING, fifo",
        "PUSHING, fifo",
        "BUFFERED, directory",
        "SEALING, directory",
        "PUSHING, directory"
    })
    void aChangeWinsOverTheWorkOnTheOldFile(Moment moment, String policy) throws Exception {
        for (Change change : Change.values()) {
            HoldingClock clock = new HoldingClock();
            try (MountRig rig = new MountRig(temp.resolve(change.name()), clock, "packing.policy", policy)) {
                PackingFileSystem mount = rig.mounts.get(0);
                MountRig.write(mount, "/d/a", FIRST, MountRig.NEW);
                MountRig.write(mount, "/d/b", OTHER, MountRig.NEW);
                changeAt(moment, change, rig, clock);
                change.check(rig, moment + " " + change);
                mount.flush();
                change.check(rig, moment + " " + change + ", pushed");
                assertThat(mount.bdt().statistics().bufferedFiles()).isZero();
                rig.restartWorkers();
                change.check(rig, moment + " " + change + ", restarted");
            }
        }
    }

    private static void changeAt(Moment moment, Change change, MountRig rig, HoldingClock clock) throws Exception {
        switch (moment) {
            case BUFFERED -> change.apply(rig);
            case SEALING -> {
                clock.armed.set(true);
                CompletableFuture<Void> flush = MountRig.async(rig.mounts.get(0)::flush);
                clock.arrived.await();
                change.apply(rig);
                clock.open.countDown();
                flush.join();
            }
            case PUSHING -> {
                CompletableFuture<Void> flush;
                try (FaultyObjectStore.Gate gate = rig.stores.get(0).holdNext(RequestKind.PUT)) {
                    flush = MountRig.async(rig.mounts.get(0)::flush);
                    gate.awaitArrival();
                    change.apply(rig);
                }
                flush.join();
            }
        }
    }

    @Test
    void ofTwoWorkersThatCreateOnePathOneIsRefused() throws Exception {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            for (int round = 0; round < 30; round++) {
                String path = "/race/" + round;
                AtomicInteger refused = new AtomicInteger();
                AtomicReference<byte[]> winner = new AtomicReference<>(new byte[0]);
                CyclicBarrier together = new CyclicBarrier(2);
                List<CompletableFuture<Void>> writers = List.of(
                        MountRig.async(() -> create(rig, 0, path, FIRST, together, refused, winner)),
                        MountRig.async(() -> create(rig, 1, path, SECOND, together, refused, winner)));
                writers.forEach(CompletableFuture::join);
                assertThat(refused.get()).as(path).isEqualTo(1);
                assertThat(MountRig.read(rig.mounts.get(round % 2), path)).isEqualTo(winner.get());
            }
            rig.mounts.get(0).flush();
            assertThat(rig.mounts.get(0).bdt().statistics().files()).isEqualTo(30);
        }
    }

    private static void create(
            MountRig rig,
            int worker,
            String path,
            byte[] bytes,
            CyclicBarrier together,
            AtomicInteger refused,
            AtomicReference<byte[]> winner)
            throws Exception {
        together.await();
        try {
            MountRig.write(rig.mounts.get(worker), path, bytes, MountRig.NEW);
            winner.set(bytes);
        } catch (FileAlreadyExistsException e) {
            refused.incrementAndGet();
        }
    }

    @Test
    void ofTwoWorkersThatOverwriteOnePathOneWinsWhole() throws Exception {
        try (MountRig rig = new MountRig(temp, Clock.systemUTC())) {
            for (int round = 0; round < 30; round++) {
                String path = "/race/" + round % 3;
                CyclicBarrier together = new CyclicBarrier(2);
                List<CompletableFuture<Void>> writers = List.of(
                        MountRig.async(() -> overwrite(rig.mounts.get(0), path, FIRST, together)),
                        MountRig.async(() -> overwrite(rig.mounts.get(1), path, SECOND, together)));
                writers.forEach(CompletableFuture::join);
                byte[] found = MountRig.read(rig.mounts.get(0), path);
                assertThat(found).isIn(FIRST, SECOND);
                assertThat(MountRig.read(rig.mounts.get(1), path)).isEqualTo(found);
                if (round % 5 == 0) {
                    rig.mounts.get(1).flush();
                    assertThat(MountRig.read(rig.mounts.get(0), path)).isEqualTo(found);
                }
            }
        }
    }

    private static void overwrite(PackingFileSystem mount, String path, byte[] bytes, CyclicBarrier together)
            throws Exception {
        together.await();
        MountRig.write(mount, path, bytes, MountRig.OVERWRITE);
    }

    @Test
    void aClockThatGoesBackMixesNothingUp() throws Exception {
        SetClock clock = new SetClock();
        try (MountRig rig = new MountRig(temp, clock)) {
            for (int day = 0; day < 4; day++) {
                // The file is as long as the one before, so that the footer's offset does not tell the names apart.
                MountRig.write(rig.mounts.get(0), "/day" + day, MountRig.bytes(day, 1_000), MountRig.NEW);
                rig.mounts.get(0).flush();
                clock.now = clock.now.minus(Duration.ofDays(1));
                if (day == 1) {
                    rig.restartWorkers();
                }
            }
            for (int day = 0; day < 4; day++) {
                assertThat(MountRig.read(rig.mounts.get(1), "/day" + day)).isEqualTo(MountRig.bytes(day, 1_000));
            }
            assertThat(blobTimes(rig)).hasSize(4).doesNotHaveDuplicates();
        }
    }

    private static List<Long> blobTimes(MountRig rig) throws IOException {
        try (ObjectStore store = ObjectStores.open(rig.options().store())) {
            return store.list("blobs/", "", 100).stream()
                    .map(ObjectInfo::key)
                    .map(key -> BlobName.parse(key.substring(key.lastIndexOf('/') + 1))
                            .timestampMicros())
                    .toList();
        }
    }
}
