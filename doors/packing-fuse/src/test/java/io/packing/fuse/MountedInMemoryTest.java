// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.mount.MountSpec;
import io.packing.seed.Seed;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The kernel itself against a file system in memory. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MountedInMemoryTest {
    private static final int STARTS = 20;

    @TempDir
    private Path home;

    private Path root = Path.of("");
    private @Nullable FuseMount mount;

    @BeforeEach
    void mount() throws IOException, InterruptedException {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        root = Files.createDirectory(home.resolve("a mount"));
        mount = FuseMount.start(spec(), server(), Map.of());
    }

    private MountSpec spec() {
        return spec("state");
    }

    private MountSpec spec(String state) {
        return new MountSpec(root, home.resolve(state), "memory", false, MountAccessOptions.FILES, false);
    }

    private FuseMount mounted() {
        return Objects.requireNonNull(mount);
    }

    private static List<String> server() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                InMemoryServer.class.getName());
    }

    /** Returns the command of a server that takes its time to end. */
    private static List<String> lingering(Path until) {
        List<String> command = new ArrayList<>(
                List.of("sh", "-c", "\"$@\"; until [ -e '%s' ]; do sleep 0.1; done".formatted(until), "sh"));
        command.addAll(server());
        return command;
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        if (mount != null) {
            mount.close();
            assertThat(KernelMountTable.typeAt(root)).isEmpty();
        }
    }

    @Test
    void bytesComeBack() throws IOException {
        byte[] bytes = new byte[5_000_000];
        Seed.random().nextBytes(bytes);
        Files.write(root.resolve("f"), bytes);
        assertThat(Files.readAllBytes(root.resolve("f"))).isEqualTo(bytes);
        assertThat(Files.size(root.resolve("f"))).isEqualTo(bytes.length);
        try (RandomAccessFile file = new RandomAccessFile(root.resolve("f").toFile(), "rw")) {
            file.seek(1_000_001);
            file.write(7);
            file.setLength(2_000_000);
        }
        bytes[1_000_001] = 7;
        assertThat(Files.readAllBytes(root.resolve("f"))).isEqualTo(Arrays.copyOf(bytes, 2_000_000));
    }

    @Test
    void directoriesAreListedWhole() throws IOException {
        Path directory = Files.createDirectory(root.resolve("d"));
        TreeSet<String> names = IntStream.range(0, 2_000)
                .mapToObj(i -> "file-%d-ü".formatted(i))
                .collect(Collectors.toCollection(TreeSet::new));
        for (String name : names) {
            Files.createFile(directory.resolve(name));
        }
        try (Stream<Path> list = Files.list(directory)) {
            assertThat(list.map(path -> path.getFileName().toString())).containsExactlyInAnyOrderElementsOf(names);
        }
        assertThatThrownBy(() -> Files.delete(directory)).isInstanceOf(DirectoryNotEmptyException.class);
    }

    @Test
    void linksAttributesAndRenamesWork() throws IOException {
        Path file = Files.writeString(root.resolve("a"), "text");
        Files.createLink(root.resolve("b"), file);
        assertThat(Files.getAttribute(file, "unix:nlink")).isEqualTo(2);
        Files.createSymbolicLink(root.resolve("s"), Path.of("a"));
        assertThat(Files.readString(root.resolve("s"))).isEqualTo("text");
        Instant time = Instant.parse("2001-02-03T04:05:06.123456789Z");
        Files.setLastModifiedTime(file, FileTime.from(time));
        assertThat(Files.getLastModifiedTime(root.resolve("b")).toInstant()).isEqualTo(time);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r-x------"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("r-x------");
        Files.setAttribute(file, "user:colour", ByteBuffer.wrap(new byte[] {1}));
        assertThat((byte[]) Files.getAttribute(file, "user:colour")).containsExactly(1);
        Files.move(root.resolve("s"), root.resolve("b"), StandardCopyOption.REPLACE_EXISTING);
        assertThat(Files.isSymbolicLink(root.resolve("b"))).isTrue();
        assertThatThrownBy(() -> Files.createFile(file)).isInstanceOf(FileAlreadyExistsException.class);
        Files.delete(file);
        assertThat(Files.exists(root.resolve("b"))).isFalse();
    }

    @Test
    void aMountThatEndsLeavesTheNextOneOfItsDirectoryAlone() throws IOException, InterruptedException {
        mounted().close();
        Path next = home.resolve("next");
        FuseMount first = FuseMount.start(spec("first"), lingering(next), Map.of());
        KernelMountTable.unmount(root);
        mount = FuseMount.start(spec(), server(), Map.of());
        Files.createFile(next);
        assertThat(first.await()).isZero();
        Files.writeString(root.resolve("f"), "text");
        assertThat(KernelMountTable.typeAt(root)).isPresent();
    }

    /** Unpublished bytes of a server are in its state. */
    @Test
    void aMountWaitsForTheServerThatHadItsStateBefore() throws Exception {
        mounted().close();
        Path next = home.resolve("next");
        FuseMount first = FuseMount.start(spec(), lingering(next), Map.of());
        KernelMountTable.unmount(root);
        CompletableFuture<FuseMount> second = new CompletableFuture<>();
        Thread mounting = new Thread(() -> {
            try {
                second.complete(FuseMount.start(spec(), server(), Map.of()));
            } catch (IOException | InterruptedException | RuntimeException e) {
                second.completeExceptionally(e);
            }
        });
        mounting.start();
        // It has nothing to wait for but the first one's end.
        while (!second.isDone()
                && !Files.readString(home.resolve("state/keeper.log")).contains("waits for")) {
            Thread.onSpinWait();
        }
        assertThat(second).isNotDone();
        assertThat(KernelMountTable.typeAt(root)).isEmpty();
        Files.createFile(next);
        mount = second.get();
        assertThat(first.await()).isZero();
        Files.writeString(root.resolve("f"), "text");
    }

    @Test
    void aKeeperThatIsKilledLeavesNoMountThatHangs() throws IOException, InterruptedException {
        ProcessHandle keeper = ProcessHandle.of(mounted().keeper()).orElseThrow();
        keeper.destroyForcibly();
        int unused = mounted().await();
        // No process is left to unmount; the next mount of the directory does it.
        mounted().close();
        mount = FuseMount.start(spec(), server(), Map.of());
        Files.writeString(root.resolve("f"), "again");
    }

    @Test
    void aServerThatCannotStartSaysWhy() throws IOException, InterruptedException {
        assertThat(processesOf(spec()))
                .as("the keeper, and who watches its input")
                .hasSizeGreaterThan(1);
        mounted().close();
        List<String> broken = List.of("sh", "-c", "echo no such luck >&2; exit 9");
        // It ends while the keeper still begins: none of the keeper's processes may miss that.
        for (int i = 0; i < STARTS; i++) {
            assertThatThrownBy(() -> FuseMount.start(spec(), broken, Map.of()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no such luck");
            assertThat(KernelMountTable.typeAt(root)).isEmpty();
        }
        // One that stays is waited for until the test's time is over.
        processesOf(spec()).forEach(each -> each.onExit().join());
    }

    /** Returns the processes that were started for a mount. Java shows too little of their long command lines. */
    private static List<ProcessHandle> processesOf(MountSpec spec) {
        String state = spec.state().toString();
        return ProcessHandle.allProcesses()
                .filter(each -> commandLine(each).contains(state))
                .toList();
    }

    private static String commandLine(ProcessHandle process) {
        try {
            Path file = Path.of("/proc", Long.toString(process.pid()), "cmdline");
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException ended) {
            return "";
        }
    }

    @Test
    void endingAMountInTheForegroundLetsItsServerFinish() throws IOException, InterruptedException {
        mounted().close();
        Path finished = home.resolve("finished");
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                "trap 'sleep 1; : > \"$0\"; exit 0' TERM; exec 3<&0; \"$@\" <&3 3<&- & wait; until [ -e \"$0\" ]; do sleep 0.1; done",
                finished.toString()));
        command.addAll(server());

        FuseMount.start(spec(), command, Map.of()).close();

        assertThat(finished).exists();
    }

    @Test
    void unmountingEndsKeeperAndServer() throws IOException, InterruptedException {
        KernelMountTable.unmount(root);
        assertThat(mounted().await()).isZero();
    }
}
