// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.log.FileLog;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import io.packing.sorted.DiskFullException;
import io.packing.sorted.SortedStoreOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A master whose disk is full says so, goes on reading, goes on writing when there is space, and loses nothing. More rounds:
 * {@code -Dpacking.rounds=N}.
 */
@Timeout(300)
@Tag("hunt")
class FullDiskTest {
    private static final FileAttributes FILE = new FileAttributes(10, 1_000, "u", "g", 0644);
    private static final long SEED = Seed.value();
    private static final int READS = 20;
    private static final int MEGABYTE = 1 << 20;
    private static final int ROUNDS = Integer.getInteger("packing.rounds", 1);
    private static final int BATCH = 500;
    /** Names of this length fill a disk with few mutations. */
    private static final String LONG_NAME = "x".repeat(150);

    @TempDir
    private Path temp;

    private final Random random = new Random(SEED);
    private Path disk = Path.of("");
    private final List<Process> masters = new ArrayList<>();
    private final List<String> acknowledged = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private int named;
    private volatile String lastLine = "";

    @AfterEach
    void stop() throws IOException, InterruptedException {
        for (Process master : masters) {
            assertThat(master.destroyForcibly().waitFor()).isPositive();
        }
        if (!disk.toString().isEmpty()) {
            assertThat(new ProcessBuilder("umount", "-l", disk.toString())
                            .start()
                            .waitFor())
                    .isZero();
        }
    }

    /** A small file system of its own, or a skipped test. */
    private void mountDisk(int megabytes) throws IOException, InterruptedException {
        Path made = Files.createDirectories(temp.resolve("disk"));
        Process mount = new ProcessBuilder(
                        "mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", made.toString())
                .redirectErrorStream(true)
                .start();
        assumeTrue(mount.waitFor() == 0, "a full disk is tested where mounting a tmpfs is permitted: run as root");
        disk = made;
    }

    private record Running(Process process, String address) {}

    private Running start(SortedStoreOptions.Engine engine, int keepFreeMegabytes) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx192m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-CreateCoredumpOnCrash",
                        "-XX:ErrorFile=" + temp.resolve("crash.log"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        DiskFullMaster.class.getName(),
                        disk.resolve("data").toString(),
                        Files.createDirectories(temp.resolve("store")).toString(),
                        engine.name(),
                        Long.toString((long) keepFreeMegabytes * MEGABYTE))
                .redirectError(temp.resolve("master.log").toFile())
                .start();
        masters.add(process);
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = "";
        while (line != null && !line.matches("\\d+ \\d+")) {
            line = out.readLine();
        }
        assertThat(line).as(log()).matches("\\d+ \\d+");
        // A full pipe without a reader stops the process that logs to it.
        Thread drain = new Thread(() -> out.lines().forEach(logged -> lastLine = logged), "drain");
        drain.setDaemon(true);
        drain.start();
        return new Running(process, "127.0.0.1:" + String.valueOf(line).split(" ", -1)[0]);
    }

    private String log() {
        try {
            return lastLine + "\n" + Files.readString(temp.resolve("master.log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private Map<String, String> mount() {
        return Map.of("packing.store", temp.resolve("store").toUri().toString(), "packing.backup.interval", "10h");
    }

    private long freeMegabytes() throws IOException {
        return Files.getFileStore(disk).getUsableSpace() / MEGABYTE;
    }

    /** Claims until the master refuses some for its disk; what is granted is remembered, and what is refused. */
    private void claimUntilFull(WorkerSession session, Running master) throws IOException {
        boolean full = false;
        while (!full) {
            full = claimSome(session, master);
        }
    }

    /** Claims a batch of files; returns whether a claim was refused. */
    private boolean claimSome(WorkerSession session, Running master) throws IOException {
        List<String> paths = new ArrayList<>();
        List<CompletableFuture<ClaimResult>> answers = new ArrayList<>();
        boolean full = false;
        for (int i = 0; i < BATCH; i++) {
            String path = "/d%d/%s%08d".formatted(named % 97, LONG_NAME, named++);
            long id;
            try {
                id = session.newFileId();
            } catch (UnavailableException noIds) {
                // The ids that the worker had are used up, and a lease of more is a change as well.
                assertRefusedForTheDisk(noIds, master);
                full = true;
                break;
            }
            paths.add(path);
            answers.add(session.claim(new Claim(id, new FilePath(path), FILE, true, true)));
        }
        for (int i = 0; i < paths.size(); i++) {
            try {
                assertThat(answers.get(i).join()).isInstanceOf(ClaimResult.Granted.class);
                acknowledged.add(paths.get(i));
            } catch (CompletionException failed) {
                assertRefusedForTheDisk(failed, master);
                refused.add(paths.get(i));
                full = true;
            }
        }
        return full;
    }

    private void assertRefusedForTheDisk(Exception failed, Running master) {
        assertThat(master.process().isAlive()).as(log()).isTrue();
        assertThat(failed).hasMessageContaining("disk full at the master").hasMessageContaining(disk.toString());
    }

    /** Returns the size of the master's reserve, which counts as free. */
    private long reserveMegabytes() throws IOException {
        try (Stream<Path> files = Files.walk(disk.resolve("data"))) {
            return files.filter(file -> file.endsWith("RESERVE"))
                            .mapToLong(file -> file.toFile().length())
                            .sum()
                    / MEGABYTE;
        }
    }

    /** Makes the disk almost full with a file. */
    private Path leaveFree(int megabytes) throws IOException {
        Path file = disk.resolve("ballast");
        byte[] chunk = new byte[MEGABYTE];
        try (OutputStream out = Files.newOutputStream(file)) {
            while (freeMegabytes() + reserveMegabytes() > megabytes) {
                out.write(chunk);
            }
        }
        return file;
    }

    /** Fills the disk as another process, as fast as a network; reads go on meanwhile. */
    private Path fillUp(Bdt table) throws IOException {
        Path file = disk.resolve("others");
        byte[] chunk = new byte[MEGABYTE / 2];
        while (true) {
            try {
                Files.write(file, chunk, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException full) {
                assertThat(freeMegabytes()).isZero();
                return file;
            }
            for (int i = 0; i < READS; i++) {
                String path = acknowledged.get(random.nextInt(acknowledged.size()));
                assertThat(table.stat(new FilePath(path)))
                        .as("seed %d: %s", SEED, path)
                        .isPresent();
            }
        }
    }

    private void assertNothingIsLost(Bdt table, String when) throws IOException {
        Set<String> missing = new TreeSet<>(acknowledged);
        missing.removeAll(everything(table));
        assertThat(missing).as(when).isEmpty();
    }

    private void assertNoneThatWasRefusedIsThere(Bdt table) throws IOException {
        Set<String> there = new TreeSet<>(refused);
        there.retainAll(everything(table));
        assertThat(there).as("seed %d: refused, and there", SEED).isEmpty();
    }

    private static Set<String> everything(Bdt table) throws IOException {
        Set<String> found = new HashSet<>();
        for (FileStatus directory : table.list(FilePath.ROOT, "", 1_000).orElseThrow()) {
            String after = "";
            if (directory.isDirectory()) {
                for (List<FileStatus> page =
                                table.list(directory.path(), after, 1_000).orElseThrow();
                        !page.isEmpty();
                        page = table.list(directory.path(), after, 1_000).orElseThrow()) {
                    page.forEach(file -> found.add(file.path().value()));
                    after = page.get(page.size() - 1).path().name();
                }
            }
        }
        return found;
    }

    private static Outcome mkdir(Bdt table, String path) throws IOException {
        return table.mkdir(new FilePath(path), new DirectoryAttributes("u", "g", 0755), false);
    }

    @Test
    void aMountWhoseEngineMetTheFullDiskGoesOnByItselfWhenThereIsSpace() throws Exception {
        mountDisk(200);
        // Without a guard: the engine itself fails.
        Running master = start(SortedStoreOptions.Engine.ROCKSDB, 0);
        try (GrpcBdts patient = GrpcBdts.connect(master.address(), Duration.ofSeconds(30));
                GrpcBdts client = GrpcBdts.connect(master.address(), Duration.ofSeconds(3))) {
            assertThat(patient.open(mount()).stat(FilePath.ROOT)).isPresent();
            Bdt table = client.open(mount());
            for (int round = 0; round < ROUNDS; round++) {
                Path ballast = leaveFree(20);
                claimUntilFull(table.register(new WorkerRegistration("w", "127.0.0.1:1")), master);
                assertNothingIsLost(table, "read while full");
                Files.delete(ballast);
                assertThat(mkdir(patient.open(mount()), "/round" + round)).isEqualTo(Outcome.DONE);
                assertNothingIsLost(table, "with space again");
            }
        }
    }

    @Test
    void aLogThatMeetsTheFullDiskTakesItsRecordBack() throws Exception {
        mountDisk(1);
        Path directory = disk.resolve("log");
        int written = 0;
        try (FileLog log = FileLog.open(directory, 64 << 10, true)) {
            for (int round = 0; round < ROUNDS; round++) {
                Path ballast = Files.write(disk.resolve("ballast"), new byte[(ROUNDS - round) * 200_000]);
                boolean full = false;
                while (!full) {
                    try {
                        log.append(written + 1, new byte[5_000]);
                        log.sync();
                        written++;
                    } catch (DiskFullException e) {
                        assertThat(e).hasMessageContaining(directory.toString());
                        full = true;
                    }
                }
                Files.delete(ballast);
                log.append(written + 1, new byte[5_000]);
                log.sync();
                written++;
            }
        }
        int[] found = new int[1];
        try (FileLog log = FileLog.open(directory, 64 << 10, true)) {
            log.replay(record -> found[0]++);
        }
        assertThat(found[0]).isEqualTo(written);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsAcknowledgedOnAFullDiskIsThereAndWritesGoOnWhenThereIsSpace(SortedStoreOptions.Engine engine)
            throws Exception {
        mountDisk(700);
        // So little that the kept space is the engine's own need.
        int kept = (int)
                (new SortedStoreOptions(engine, 0, BdtMasterOptions.WRITE_BUFFER_BYTES, 1).keptFreeBytes() / MEGABYTE);
        Running master = start(engine, 1);
        try (GrpcBdts patient = GrpcBdts.connect(master.address(), Duration.ofSeconds(30));
                GrpcBdts client = GrpcBdts.connect(master.address(), Duration.ofSeconds(3))) {
            // RocksDB takes 18 MB for its log with the first change: before the disk is made almost full.
            assertThat(mkdir(patient.open(mount()), "/first")).isEqualTo(Outcome.DONE);
            Bdt table = client.open(mount());
            Bdt reads = patient.open(mount());
            for (int round = 0; round < ROUNDS; round++) {
                Path ballast = leaveFree(kept + 10 + random.nextInt(20));
                WorkerSession session = table.register(new WorkerRegistration("w", "127.0.0.1:1"));
                claimUntilFull(session, master);
                assertThat(freeMegabytes()).as("kept free").isGreaterThan(60);
                Path others = fillUp(reads);
                assertThat(claimSome(session, master)).isTrue();
                assertNothingIsLost(reads, "read while nothing is free");
                assertNoneThatWasRefusedIsThere(reads);
                assertThat(master.process().isAlive()).as(log()).isTrue();
                Files.delete(others);
                Files.delete(ballast);
                assertThat(mkdir(patient.open(mount()), "/round" + round)).isEqualTo(Outcome.DONE);
                assertThat(claimSome(session, master)).as("there is space").isFalse();
            }
            assertThat(master.process().isAlive()).as(log()).isTrue();
        }
        assertThat(master.process().destroyForcibly().waitFor()).isPositive();
        Running again = start(engine, 1);
        try (GrpcBdts client = GrpcBdts.connect(again.address(), Duration.ofSeconds(30))) {
            Bdt table = client.open(mount());
            assertNothingIsLost(table, "after a kill");
            assertNoneThatWasRefusedIsThere(table);
        }
    }
}
