// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files deleted while a worker's index was behind do not come back with the worker, nor in a recovered table. */
@Tag("process")
final class DeletedFilesCrashTest {
    private static final int DELETED = 100;

    @TempDir
    private Path temp;

    private static void deleteAll(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private BdtMaster master() throws IOException {
        return BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        temp.resolve("bdt").toString(),
                        "bdt.port",
                        "0",
                        "bdt.stores",
                        temp.resolve("store").toUri().toString())))
                .serve();
    }

    private void recoverOnce(Path store) throws IOException {
        try (BdtMaster first = master();
                GrpcBdts client = GrpcBdts.connect("127.0.0.1:" + first.port(), Duration.ofSeconds(30))) {
            Bdt table = client.open(KilledWorker.options(store, "segment"));
            assertThat(table.mkdir(new FilePath("/before"), new DirectoryAttributes("o", "g", 0755), false))
                    .isEqualTo(Outcome.DONE);
            table.checkpoint();
        }
        deleteAll(temp.resolve("bdt"));
    }

    @Test
    @Timeout(120)
    void filesThatWereDeletedAfterARecoveryStayDeletedWhenTheirWorkerIsKilled() throws Exception {
        Path store = Files.createDirectories(temp.resolve("store"));
        recoverOnce(store);
        try (BdtMaster master = master();
                GrpcBdts client = GrpcBdts.connect("127.0.0.1:" + master.port(), Duration.ofSeconds(30))) {
            Bdt table = client.open(KilledWorker.options(store, "segment"));
            assertThat(table.stat(new FilePath("/before"))).as("recovered").isPresent();
            List<Integer> deleted = deleteUntilKilled(master.port(), store, table);
            try (PackingWorker worker = KilledWorker.start(temp.resolve("buffer"), client)) {
                PackingFileSystem mount = worker.open(MountOptions.from(KilledWorker.options(store, "segment")));
                for (int number : deleted) {
                    assertThat(mount.bdt().stat(KilledWorker.path(number)))
                            .as("file %d", number)
                            .isEmpty();
                }
            }
        }
    }

    private List<Integer> deleteUntilKilled(int port, Path store, Bdt table) throws Exception {
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
                        "segment")
                .redirectError(temp.resolve("child.log").toFile())
                .start();
        List<Integer> deleted = new ArrayList<>();
        try (BufferedReader lines = child.inputReader()) {
            while (deleted.size() < DELETED) {
                String line = lines.readLine();
                if (line == null) {
                    throw new AssertionError("the worker ended: " + Files.readString(temp.resolve("child.log")));
                }
                int number = Integer.parseInt(line);
                assertThat(table.delete(KilledWorker.path(number), false)).isEqualTo(Outcome.DONE);
                deleted.add(number);
            }
        } finally {
            child.destroyForcibly().waitFor();
        }
        return deleted;
    }
}
