// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.SteppedMaster;
import io.packing.bdt.master.table.Clocks;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.seed.Seed;
import io.packing.sorted.SortedStores;
import io.packing.store.InMemoryObjectStore;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.WorkerOptions;
import io.packing.worker.buffer.Appender;
import io.packing.worker.buffer.Scheduling;
import io.packing.worker.read.ReadCaches;
import io.packing.worker.rpc.PeerNetwork;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A whole worker and a whole master, stepped by one thread in virtual time: one seed determines all they do. Repeat a
 * run with {@code -Dpacking.seed=N}.
 */
final class SteppedWorkerTest {
    private static final CreateOptions OVERWRITE = new CreateOptions("o", "g", 0644, true, true);
    /** Options that give all parts of the upkeep work. */
    private static final Map<String, String> UPKEEP = Map.of(
            "packing.backup.interval", "2m",
            "packing.backup.min.changes", "1",
            "packing.journal.interval", "20s",
            "packing.gc.interval", "30s",
            "packing.gc.grace", "1m",
            "packing.gc.compact.below", "0.5");

    private static final int STEPS = 600;
    /** The size of a large file, more than the memory of an output, so that its close waits for no step. */
    private static final int LARGE = 21_000;

    private final long seed = Seed.value();

    @TempDir
    private Path temp;

    /** A clock that a test moves. */
    private static final class VirtualClock extends Clock {
        private long nanos;

        void pass(Duration time) {
            nanos += time.toNanos();
        }

        long nanos() {
            return nanos;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochSecond(1_700_000_000L).plusNanos(nanos);
        }
    }

    /** One life of a worker and its master. */
    private static final class Life implements AutoCloseable {
        private final Random random;
        private final VirtualClock clock = new VirtualClock();
        private final RecordedRequests requests = new RecordedRequests(new InMemoryObjectStore());
        private final SteppedMaster master;
        private final PackingWorker worker;
        private final LocalMount mount;
        /** The expected content of each file. */
        private final Map<FilePath, byte[]> model = new TreeMap<>();

        Life(Path home, long seed) throws IOException {
            random = new Random(seed);
            Map<String, String> settings = new HashMap<>(UPKEEP);
            settings.putAll(Map.of(
                    "packing.store",
                    "file:///stepped",
                    "packing.blob.max.bytes",
                    "64KB",
                    "packing.seal.idle.bytes",
                    "32KB",
                    "packing.spill.bytes",
                    "20KB",
                    "packing.policy",
                    random.nextBoolean() ? "fifo" : "directory"));
            MountOptions options = MountOptions.from(settings);
            master = new SteppedMaster(home.resolve("master"), requests.of("master"), new Clocks(clock, clock::nanos));
            Path buffer = Files.createDirectories(home.resolve("worker"));
            // This replaces a random token, which the master keeps.
            Files.writeString(buffer.resolve("owner"), "w\n%016x\n".formatted(seed));
            worker = PackingWorker.of(
                    new WorkerOptions("w", buffer, "127.0.0.1", 1),
                    master,
                    (store, listener) -> requests.of("worker"),
                    new WorkerPlatform(
                            clock,
                            clock::nanos,
                            random::nextInt,
                            Scheduling.alone(clock::nanos),
                            new ReadCaches(),
                            file -> "here",
                            SortedStores::open,
                            PeerNetwork.grpc()),
                    new SimpleMeterRegistry());
            mount = worker.wired(options);
        }

        void live() throws IOException, InterruptedException {
            for (int i = 0; i < STEPS; i++) {
                step();
            }
            settle();
            for (Map.Entry<FilePath, byte[]> file : model.entrySet()) {
                check(file.getKey());
            }
        }

        private void step() throws IOException, InterruptedException {
            switch (random.nextInt(13)) {
                case 0, 1, 2, 3 -> put(path(), bytes(random.nextInt(15_000)));
                case 4 -> write(path(), bytes(LARGE + random.nextInt(100_000)));
                case 5 -> delete(path());
                case 6 -> rename(path(), path());
                case 7 -> check(path());
                case 8 -> mount.pack();
                case 9 -> mount.beat();
                case 10 -> keepUp();
                case 11 -> mount.copy();
                default -> pass();
            }
        }

        private FilePath path() {
            return new FilePath("/d%d/f%d".formatted(random.nextInt(3), random.nextInt(20)));
        }

        private byte[] bytes(int length) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            return bytes;
        }

        private void put(FilePath path, byte[] bytes) throws IOException, InterruptedException {
            CompletableFuture<FileVersion> put =
                    mount.put(path, OVERWRITE, ByteBuffer.wrap(bytes), Appender.Writer.CLOSES);
            assertThat(put).as("before anybody steps").isNotDone();
            mount.append(0);
            assertThat(put).isCompleted();
            model.put(path, bytes);
        }

        private void write(FilePath path, byte[] bytes) throws IOException {
            MountRig.write(mount, path.value(), bytes, OVERWRITE);
            model.put(path, bytes);
        }

        private void delete(FilePath path) throws IOException {
            Outcome expected = model.remove(path) == null ? Outcome.NOT_FOUND : Outcome.DONE;
            assertThat(mount.bdt().delete(path, false)).isEqualTo(expected);
        }

        private void rename(FilePath from, FilePath to) throws IOException {
            Outcome outcome = mount.bdt().rename(from, to);
            if (outcome == Outcome.DONE && model.containsKey(from)) {
                model.put(to, model.remove(from));
            }
        }

        private void check(FilePath path) throws IOException {
            byte[] wanted = model.get(path);
            if (wanted != null) {
                assertThat(MountRig.read(mount, path.value())).isEqualTo(wanted);
            } else {
                assertThat(mount.bdt().stat(path)).isEmpty();
            }
        }

        private void keepUp() throws IOException {
            if (!master.renew()) {
                master.keepUp();
            }
            assertThat(master.troubles()).isEmpty();
        }

        private void pass() throws IOException, InterruptedException {
            clock.pass(Duration.ofMillis(random.nextInt(8_000)));
            mount.append(0);
            // Beat as once a second: the master takes a worker without beats for dead.
            mount.beat();
        }

        /** Steps until all files are packed and committed, and the upkeep has no work left. */
        private void settle() throws IOException, InterruptedException {
            while (mount.bdt().statistics().bufferedFiles() > 0) {
                clock.pass(Duration.ofSeconds(6));
                mount.append(0);
                while (mount.pack()) {
                    mount.beat();
                }
                mount.beat();
            }
            for (int i = 0; i < 40; i++) {
                clock.pass(Duration.ofSeconds(10));
                mount.beat();
                mount.copy();
                mount.beat();
                keepUp();
            }
        }

        @Override
        public void close() throws IOException {
            worker.close();
            master.close();
        }
    }

    private List<String> live(String home, long from) throws IOException, InterruptedException {
        try (Life life = new Life(temp.resolve(home), from)) {
            life.live();
            return life.requests.all();
        }
    }

    @Test
    void oneSeedMakesOneSequenceOfRequests() throws IOException, InterruptedException {
        System.out.printf("SteppedWorkerTest: seed %d%n", seed);
        List<String> first = live("first", seed);
        List<String> kinds = new ArrayList<>(first);
        kinds.replaceAll(request -> request.substring(0, request.indexOf(' ', request.indexOf(' ') + 1)));
        assertThat(kinds).as("seed %d", seed).contains("worker: put", "worker: get", "master: put", "master: delete");
        assertThat(live("again", seed)).as("seed %d", seed).isEqualTo(first);
        assertThat(live("other", seed + 1)).as("seed %d", seed + 1).isNotEqualTo(first);
    }
}
