// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.FileStatus;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.process.Await;
import io.packing.registry.access.Access;
import io.packing.registry.files.MountFiles;
import io.packing.registry.files.RegistryFiles;
import io.packing.seed.Seed;
import io.packing.store.ObjectStores;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A registry whose servers' disks are full, as a process of its own has it: over the network. */
@Timeout(120)
@Tag("process")
class RegistryFullDiskTest {
    private static final FilePath BASE = new FilePath("/registry");
    /** More than the servers keep free. */
    private static final int DISK_MEGABYTES = 800;
    /** A reserve that has not grown for so many looks is whole. */
    private static final int LOOKS = 100;

    @TempDir
    private Path home;

    private Optional<Path> disk = Optional.empty();

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        if (disk.isPresent()) {
            assertThat(new ProcessBuilder("umount", "-l", disk.get().toString())
                            .start()
                            .waitFor())
                    .isZero();
        }
    }

    /** Makes a small file system of its own, or skips the test. */
    private Path smallDisk() throws IOException, InterruptedException {
        Path made = Files.createDirectories(home.resolve("disk"));
        Process mount = new ProcessBuilder(
                        "mount", "-t", "tmpfs", "-o", "size=" + DISK_MEGABYTES + "m", "tmpfs", made.toString())
                .redirectErrorStream(true)
                .start();
        assumeTrue(mount.waitFor() == 0, "a full disk is tested where mounting a tmpfs is permitted: run as root");
        disk = Optional.of(made);
        return made;
    }

    /** Others take the disk but for some megabytes. */
    private static Path fill(Path disk, int leftMegabytes) throws IOException {
        Path others = disk.resolve("others");
        FileStore store = Files.getFileStore(disk);
        // Little by little: servers take from the disk meanwhile.
        try (OutputStream out = Files.newOutputStream(others)) {
            while (store.getUsableSpace() > ((long) leftMegabytes << 20)) {
                out.write(new byte[1 << 18]);
            }
        }
        return others;
    }

    /**
     * Waits for the tables' reserves: before that they keep more free, and a disk that is filled meanwhile stops all of
     * them.
     */
    private static void awaitReserves(Path disk) throws IOException, InterruptedException {
        List<Long> seen = new ArrayList<>();
        Await.until("tables take no more reserves", () -> {
            seen.add(reserved(disk));
            List<Long> last = seen.subList(Math.max(0, seen.size() - LOOKS), seen.size());
            return seen.size() > LOOKS && last.get(0) >= 0 && Set.copyOf(last).size() == 1;
        });
    }

    private static long reserved(Path disk) throws IOException {
        try (Stream<Path> files = Files.walk(disk)) {
            long bytes = 0;
            for (Path reserve : (Iterable<Path>) files.filter(file -> file.endsWith("RESERVE"))::iterator) {
                bytes += Files.size(reserve);
            }
            return bytes;
        } catch (UncheckedIOException e) {
            // A table deleted one of its files meanwhile.
            return -1;
        }
    }

    private static byte[] bytes(int count, SplittableRandom random) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static List<FileStatus> list(RegistryFiles files, String path) throws IOException {
        return files.list(new FilePath(BASE.value() + path), "", 10).orElse(List.of());
    }

    /** Checks that a registry refuses pushes only while a disk is full, and takes them with free space again. */
    private static void aFullDiskRefusesPushesOnly(TestMount mount, Path disk, int leftMegabytes) throws Exception {
        try (GrpcBdts master = mount.connect();
                RemotePackingFileSystem remote = RemotePackingFileSystem.open(
                        master,
                        mount.options(),
                        ObjectStores.open(mount.options().store()),
                        Writers.preferHost("127.0.0.1"));
                RegistryServer server = RegistryServer.start(
                        RegistryOptions.local(BASE),
                        new MountFiles(remote, mount.options()),
                        Access.OPEN,
                        new SimpleMeterRegistry())) {
            RegistryClient client = new RegistryClient(server.uri());
            SplittableRandom random = new SplittableRandom(Seed.value());
            byte[] before = bytes(1_000_000, random);
            byte[] refused = bytes(5_000_000, random);
            assertThat(client.push("a", before).statusCode()).isEqualTo(201);
            server.awaitPushed();
            mount.mount().flush();
            awaitReserves(disk);
            Path others = fill(disk, leftMegabytes);
            HttpResponse<byte[]> answer = client.push("a", refused);
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("free some space");
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            assertThat(client.pull("a", RegistryClient.digest(before)).body()).isEqualTo(before);
            assertThat(client.pull("a", RegistryClient.digest(refused)).statusCode())
                    .isEqualTo(404);
            Files.delete(others);
            assertThat(client.push("a", refused).statusCode()).isEqualTo(201);
            assertThat(client.pull("a", RegistryClient.digest(refused)).body()).isEqualTo(refused);
            server.awaitPushed();
            assertThat(list(mount.files(), "/scratch")).isEmpty();
            assertThat(list(mount.files(), "/repositories/a/_uploads")).isEmpty();
        }
    }

    @Test
    void aFullDiskOfTheWorkerRefusesPushesWithAnErrorThatSaysWhatToDo() throws Exception {
        Path small = smallDisk();
        try (TestMount mount = TestMount.start(home, home.resolve("master"), small.resolve("buffer"))) {
            // Less than the 64 MB that a buffer keeps free, and more than its table does beside its reserve (44 MB),
            // since that
            // would stop the tables of all servers of this JVM.
            aFullDiskRefusesPushesOnly(mount, small, 56);
        }
    }

    @Test
    void aFullDiskOfTheMasterDoesSoToo() throws Exception {
        Path small = smallDisk();
        try (TestMount mount = TestMount.start(home, small.resolve("master"), home.resolve("buffer"))) {
            aFullDiskRefusesPushesOnly(mount, small, 4);
        }
    }
}
