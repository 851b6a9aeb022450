// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.seed.Seed;
import io.packing.worker.api.PackingInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers and keepers that are killed with SIGKILL. */
@Timeout(300)
public class KilledServerTest {
    private static final int ROUNDS = 3;
    private static final int FILES = 60;

    @TempDir
    private Path home;

    private static void assumeFuse() {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
    }

    /** Returns the JVM that the keeper runs now. */
    public static ProcessHandle server(FuseMount mount) {
        ProcessHandle keeper = ProcessHandle.of(mount.keeper()).orElseThrow();
        return keeper.children()
                .filter(child -> child.info().command().orElse("").endsWith("java"))
                .findFirst()
                .orElseThrow();
    }

    private static String line(int number) {
        return "line %06d\n".formatted(number);
    }

    /** Programs see a pause: open files go on, and no accepted byte is lost. */
    @Test
    void aServerThatIsKilledIsAPause() throws IOException, InterruptedException {
        assumeFuse();
        Random random = Seed.random();
        try (MountRig rig = MountRig.start(home);
                FuseMount mount = rig.mount("m", false)) {
            Path directory = Files.createDirectory(mount.directory().resolve("d"));
            Path gone = Files.writeString(directory.resolve("gone"), "still here");
            StringBuilder all = new StringBuilder();
            try (FileChannel log = FileChannel.open(
                            directory.resolve("log"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                    FileChannel unlinked = FileChannel.open(gone, StandardOpenOption.READ)) {
                Files.delete(gone);
                for (int round = 0; round < ROUNDS; round++) {
                    int killAt = random.nextInt(FILES);
                    for (int i = 0; i < FILES; i++) {
                        String text = line(round * FILES + i);
                        log.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
                        all.append(text);
                        Files.writeString(directory.resolve("f-%d-%d".formatted(round, i)), text);
                        if (i == killAt) {
                            server(mount).destroyForcibly();
                        }
                    }
                    ByteBuffer read = ByteBuffer.allocate(10);
                    assertThat(unlinked.read(read, 0)).isEqualTo(10);
                    assertThat(new String(read.array(), StandardCharsets.UTF_8)).isEqualTo("still here");
                }
            }
            assertThat(Files.readString(directory.resolve("log"))).isEqualTo(all.toString());
            for (int i = 0; i < ROUNDS * FILES; i++) {
                Path file = directory.resolve("f-%d-%d".formatted(i / FILES, i % FILES));
                assertThat(Files.readString(file)).isEqualTo(line(i));
            }
        }
    }

    /** Synced bytes survive when all processes that serve the mount are killed at once. */
    @Test
    void whatWasSyncedOutlivesKeeperAndServer() throws IOException, InterruptedException {
        assumeFuse();
        try (MountRig rig = MountRig.start(home)) {
            FuseMount mount = rig.mount("m", false);
            Path file = mount.directory().resolve("f");
            byte[] bytes = new byte[300_000];
            Seed.random().nextBytes(bytes);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            channel.write(ByteBuffer.wrap(bytes));
            channel.force(true);
            channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 100);
            channel.force(false);
            ProcessHandle server = server(mount);
            ProcessHandle.of(mount.keeper()).orElseThrow().destroyForcibly();
            server.destroyForcibly();
            server.onExit().join();
            bytes[100] = 1;
            bytes[101] = 2;
            bytes[102] = 3;
            ByteBuffer read = ByteBuffer.allocate(bytes.length);
            try (PackingInput in = rig.files().open(new FilePath("/f"))) {
                while (read.hasRemaining() && in.read(read.position(), read) > 0) {}
            }
            assertThat(read.array()).isEqualTo(bytes);
            // The next mount of the directory removes the files of the killed ones.
            try (FuseMount again = rig.mount("m", false)) {
                assertThat(Files.readAllBytes(again.directory().resolve("f"))).isEqualTo(bytes);
            }
            assertThat(KernelMountTable.typeAt(mount.directory())).isEmpty();
        }
    }

    @Test
    void aDirectoryThatIsNotThereIsSaidOnceAndNothingIsLeft() throws IOException, InterruptedException {
        assumeFuse();
        try (MountRig rig = MountRig.start(home)) {
            assertThat(catchThrowable(() -> rig.mount("m", new FilePath("/nothere"), false)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("exit code 74")
                    .hasMessageContaining("/nothere is no directory of the mount: make it first");
            assertThat(KernelMountTable.typeAt(home.resolve("m"))).isEmpty();
        }
    }

    @Test
    void aServerWhoseKeeperIsKilledUnmounts() throws IOException, InterruptedException {
        assumeFuse();
        try (MountRig rig = MountRig.start(home)) {
            FuseMount mount = rig.mount("m", false);
            Files.writeString(mount.directory().resolve("f"), "x");
            ProcessHandle server = server(mount);
            ProcessHandle.of(mount.keeper()).orElseThrow().destroyForcibly();
            server.onExit().join();
            assertThat(KernelMountTable.typeAt(mount.directory())).isEmpty();
        }
    }

    /** Without a worker a call pauses for the configured time and then fails; it never hangs, and no byte is lost. */
    @Test
    void withoutAWorkerACloseFailsAndTheBytesStay() throws IOException, InterruptedException {
        assumeFuse();
        try (MountRig rig = MountRig.start(home, Duration.ofSeconds(5));
                FuseMount mount = rig.mount("m", false)) {
            Path file = mount.directory().resolve("f");
            Files.writeString(mount.directory().resolve("before"), "x");
            rig.stopWorker();
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            assertThat(catchThrowable(() -> channel.force(true)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Input/output error");
            rig.startWorker();
            for (boolean synced = false; !synced; ) {
                // A busy machine may need longer than the timeout again.
                synced = catchThrowable(() -> channel.force(true)) == null;
            }
            channel.close();
            assertThat(Files.readAllBytes(file)).containsExactly(1, 2, 3);
        }
    }
}
