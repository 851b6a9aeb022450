// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A worker that is killed in the middle of its work loses no closed file. */
@Tag("process")
final class WorkerCrashTest {
    /** The files of an unfinished blob. */
    private static final int MOST_FILES = 4_000;
    /** The most files whose writers wait for an answer at the kill. */
    private static final int UNANSWERED = 8;
    /** The bytes of a blob in the store with which its worker is killed. */
    private static final long PUSHED_BYTES = 5 << 20;

    @TempDir
    private Path temp;

    @ParameterizedTest
    @Timeout(120)
    @CsvSource({"20,segment", "700,segment", "20,store", "700,store", "30,shared", "100,shared"})
    void everyClosedFileSurvivesAKill(int filesBeforeTheKill, String values) throws Exception {
        Path store = Files.createDirectories(temp.resolve("store"));
        BdtMasterOptions config = BdtMasterOptions.from(Map.of(
                "bdt.data.dir", temp.resolve("bdt").toString(), "bdt.port", "0", "bdt.stores", "file://" + store));
        try (BdtMaster master = BdtMaster.start(config).serve();
                GrpcBdts client = GrpcBdts.connect("127.0.0.1:" + master.port(), Duration.ofSeconds(30))) {
            Set<Integer> closed = writeUntilKilled(master.port(), store, values, filesBeforeTheKill);
            try (PackingWorker worker = KilledWorker.start(temp.resolve("buffer"), client)) {
                PackingFileSystem mount = worker.open(MountOptions.from(KilledWorker.options(store, values)));
                check(mount, closed, values, "after the restart");
                mount.flush();
                check(mount, closed, values, "after the flush");
                assertThat(mount.bdt().statistics().bufferedFiles()).isZero();
            }
        }
    }

    @Test
    @Timeout(120)
    void aKillInTheMiddleOfAPushLeavesNoObjectAndLosesNoFile() throws Exception {
        Path store = Files.createDirectories(temp.resolve("store"));
        BdtMasterOptions config = BdtMasterOptions.from(Map.of(
                "bdt.data.dir", temp.resolve("bdt").toString(), "bdt.port", "0", "bdt.stores", "file://" + store));
        try (BdtMaster master = BdtMaster.start(config).serve();
                GrpcBdts client = GrpcBdts.connect("127.0.0.1:" + master.port(), Duration.ofSeconds(30))) {
            Set<Integer> closed = writeUntilKilled(master.port(), store, KilledWorker.AHEAD, MOST_FILES);
            assertThat(pushedBytes(store)).isPositive();
            assertThat(store.resolve("blobs")).doesNotExist();
            try (PackingWorker worker = KilledWorker.start(temp.resolve("buffer"), client)) {
                PackingFileSystem mount =
                        worker.open(MountOptions.from(KilledWorker.options(store, KilledWorker.AHEAD)));
                check(mount, closed, KilledWorker.AHEAD, "after the restart");
                mount.flush();
                check(mount, closed, KilledWorker.AHEAD, "after the flush");
                assertThat(mount.bdt().statistics().blobs()).isEqualTo(1);
            }
        }
    }

    /** Returns the bytes of the blob that is not whole yet. */
    private static long pushedBytes(Path store) throws IOException {
        long bytes = 0;
        Path temporary = store.resolve(".tmp");
        if (Files.isDirectory(temporary)) {
            try (Stream<Path> files = Files.list(temporary)) {
                for (Path file : files.toList()) {
                    bytes += Files.exists(file) ? Files.size(file) : 0;
                }
            }
        }
        return bytes;
    }

    /** Kills the worker after so many files, or in the middle of the push of a blob that fills. */
    private Set<Integer> writeUntilKilled(int port, Path store, String values, int count) throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledWorker.class.getName(),
                        "127.0.0.1:" + port,
                        temp.resolve("buffer").toString(),
                        store.toString(),
                        values)
                .redirectError(temp.resolve("child.log").toFile())
                .start();
        Set<Integer> closed = new TreeSet<>();
        try (BufferedReader lines = child.inputReader()) {
            while (closed.size() < count && (!values.equals(KilledWorker.AHEAD) || pushedBytes(store) < PUSHED_BYTES)) {
                String line = lines.readLine();
                if (line == null) {
                    throw new AssertionError("the worker ended: " + Files.readString(temp.resolve("child.log")));
                }
                closed.add(Integer.parseInt(line));
            }
        } finally {
            child.destroyForcibly().waitFor();
        }
        return closed;
    }

    /** Checks the closed files; any other file is whole or not there. */
    private static void check(PackingFileSystem mount, Set<Integer> closed, String configuration, String when)
            throws Exception {
        int most = closed.stream().mapToInt(Integer::intValue).max().orElse(0);
        for (int number = 0; number < most + UNANSWERED; number++) {
            Optional<ByteBuffer> shown = read(mount, number);
            if (closed.contains(number)) {
                assertThat(shown).as("file %d %s", number, when).isPresent();
            }
            if (shown.isPresent()) {
                byte[] expected = KilledWorker.content(number, configuration);
                assertThat(shown.get()).as("file %d %s", number, when).isEqualTo(ByteBuffer.wrap(expected));
            }
        }
    }

    private static Optional<ByteBuffer> read(PackingFileSystem mount, int number) throws IOException {
        try (PackingInput in = mount.open(KilledWorker.path(number))) {
            ByteBuffer actual = ByteBuffer.allocate((int) in.attributes().length() + 1);
            while (in.read(actual.position(), actual) > 0) {
                // Reads on until the end.
            }
            return Optional.of(actual.flip());
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }
}
