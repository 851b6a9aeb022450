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
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    /** The bytes of a blob in the store with which its worker is killed. */
    private static final long PUSHED_BYTES = 5 << 20;

    @TempDir
    private Path temp;

    @ParameterizedTest
    @Timeout(120)
    @CsvSource({"20,segment", "700,segment", "20,store", "700,store"})
    void everyClosedFileSurvivesAKill(int filesBeforeTheKill, String values) throws Exception {
        Path store = Files.createDirectories(temp.resolve("store"));
        BdtMasterOptions config = BdtMasterOptions.from(Map.of(
                "bdt.data.dir", temp.resolve("bdt").toString(), "bdt.port", "0", "bdt.stores", "file://" + store));
        try (BdtMaster master = BdtMaster.start(config).serve();
                GrpcBdts client = GrpcBdts.connect("127.0.0.1:" + master.port(), Duration.ofSeconds(30))) {
            List<Integer> closed = writeUntilKilled(master.port(), store, values, filesBeforeTheKill);
            try (PackingWorker worker = KilledWorker.start(temp.resolve("buffer"), client)) {
                PackingFileSystem mount = worker.open(MountOptions.from(KilledWorker.options(store, values)));
                check(mount, closed, "after the restart");
                mount.flush();
                check(mount, closed, "after the flush");
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
            List<Integer> closed = writeUntilKilled(master.port(), store, KilledWorker.AHEAD, MOST_FILES);
            assertThat(pushedBytes(store)).isPositive();
            assertThat(store.resolve("blobs")).doesNotExist();
            try (PackingWorker worker = KilledWorker.start(temp.resolve("buffer"), client)) {
                PackingFileSystem mount =
                        worker.open(MountOptions.from(KilledWorker.options(store, KilledWorker.AHEAD)));
                check(mount, closed, "after the restart");
                mount.flush();
                check(mount, closed, "after the flush");
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
    private List<Integer> writeUntilKilled(int port, Path store, String values, int count) throws Exception {
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
        List<Integer> closed = new ArrayList<>();
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

    private static void check(PackingFileSystem mount, List<Integer> numbers, String when) throws Exception {
        for (int number : numbers) {
            byte[] expected = KilledWorker.content(number);
            ByteBuffer actual = ByteBuffer.allocate(expected.length + 1);
            try (PackingInput in = mount.open(KilledWorker.path(number))) {
                while (in.read(actual.position(), actual) > 0) {
                    // Reads on until the end.
                }
            }
            assertThat(actual.flip()).as("file %d %s", number, when).isEqualTo(ByteBuffer.wrap(expected));
        }
    }
}
