// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Placement;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.posix.owner.OwnerMap;
import io.packing.seed.Seed;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The work of programs on a mount, through the kernel, to a real master and worker. */
@Timeout(300)
@Tag("process")
class PosixMountTest extends OneMountFixture {
    private FilePath inMount(Path file) {
        return new FilePath("/" + root.relativize(file));
    }

    private byte[] random(int length) {
        byte[] bytes = new byte[length];
        Seed.random().nextBytes(bytes);
        return bytes;
    }

    @Test
    void aClosedFileIsInTheMount() throws IOException {
        byte[] bytes = random(3_000_000);
        Path file = Files.write(root.resolve("f"), bytes);
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
        assertThat(rig.files()
                        .bdt()
                        .stat(inMount(file))
                        .orElseThrow()
                        .attributes()
                        .length())
                .isEqualTo(bytes.length);
        assertThat(rig.files()
                        .bdt()
                        .stat(inMount(file))
                        .orElseThrow()
                        .attributes()
                        .owner())
                .isEqualTo("#0");
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).toList();
        }
    }

    @Test
    void aSnapshotIsReadAndNeverChanged() throws IOException {
        Path directory = Files.createDirectories(root.resolve("d"));
        byte[] before = random(300_000);
        Path file = Files.write(directory.resolve("f"), before);
        assertThat(rig.files().bdt().apply(OperationVector.of(new Operation.TakeSnapshot(inMount(directory), "s"))))
                .isInstanceOf(VectorResult.Applied.class);
        byte[] after = random(200_000);
        Files.write(file, after);
        Files.write(directory.resolve("new"), after);
        Path snapshot = directory.resolve(".snapshot/s");
        Path old = snapshot.resolve("f");
        assertThat(Files.readAllBytes(old)).isEqualTo(before);
        assertThat(Files.readAllBytes(file)).isEqualTo(after);
        assertThat(Files.size(old)).isEqualTo(before.length);
        assertThat(names(snapshot)).containsExactly("f");
        assertThat(names(directory.resolve(".snapshot"))).containsExactly("s");
        // As on HDFS a program that copies or deletes all listed entries leaves the snapshots out.
        assertThat(names(directory)).containsExactlyInAnyOrder("f", "new");
        // Programs that look for loops, or for names of one file, find none.
        Files.write(file, before);
        assertThat(Files.isSameFile(old, file)).isFalse();
        try (Stream<Path> all = Files.walk(directory.resolve(".snapshot"), FileVisitOption.FOLLOW_LINKS)) {
            assertThat(all).containsExactly(directory.resolve(".snapshot"), snapshot, old);
        }
        for (ThrowingCallable change : List.<ThrowingCallable>of(
                () -> Files.write(old, after),
                () -> Files.delete(old),
                () -> Files.move(old, root.resolve("moved")),
                () -> Files.createDirectory(snapshot.resolve("made")),
                () -> Files.write(snapshot.resolve("new"), after))) {
            assertThatThrownBy(change)
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageContaining("Read-only file system");
        }
        assertThat(Files.readAllBytes(old)).isEqualTo(before);
    }

    @Test
    void aFileIsOverwrittenInTheMiddleAndCut() throws IOException, InterruptedException {
        byte[] bytes = random(2_000_000);
        Path file = Files.write(root.resolve("f"), bytes);
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.seek(1_000_000);
            open.write(new byte[] {1, 2, 3});
            open.getFD().sync();
            assertThat(rig.files()
                            .bdt()
                            .stat(inMount(file))
                            .orElseThrow()
                            .attributes()
                            .length())
                    .isEqualTo(2_000_000);
            open.setLength(1_500_000);
            open.setLength(1_800_000);
        }
        byte[] expected = Arrays.copyOf(Arrays.copyOf(bytes, 1_500_000), 1_800_000);
        expected[1_000_000] = 1;
        expected[1_000_001] = 2;
        expected[1_000_002] = 3;
        assertThat(Files.readAllBytes(file)).isEqualTo(expected);
        remount();
        assertThat(Files.readAllBytes(file)).isEqualTo(expected);
    }

    /** With an extent for each sync, each sync would be slower than the one before. */
    @Test
    void manySmallSyncsMakeFewExtents() throws IOException, InterruptedException {
        Path file = root.resolve("wal");
        StringBuilder expected = new StringBuilder();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int i = 0; i < 200; i++) {
                String line = "record %d\n".formatted(i);
                expected.append(line);
                channel.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
                channel.force(false);
            }
        }
        LocatedFile located = rig.files().bdt().locate(inMount(file)).orElseThrow();
        assertThat(((Placement.Mapped) located.placement()).pieces()).hasSizeLessThan(20);
        remount();
        assertThat(Files.readString(file)).isEqualTo(expected.toString());
    }

    private void remount() throws IOException, InterruptedException {
        mount.close();
        mount = rig.mount("m", false);
    }

    @Test
    void appendsAddUp() throws IOException, InterruptedException {
        Path file = root.resolve("log");
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            String line = "line %d\n".formatted(i);
            expected.append(line);
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        assertThat(Files.readString(file)).isEqualTo(expected.toString());
        remount();
        assertThat(Files.readString(file)).isEqualTo(expected.toString());
    }

    @Test
    void anOpenFileOutlivesItsName() throws IOException {
        byte[] bytes = random(100_000);
        Path file = Files.write(root.resolve("f"), bytes);
        try (FileChannel open = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            Files.delete(file);
            assertThat(Files.exists(file)).isFalse();
            ByteBuffer read = ByteBuffer.allocate(100_000);
            while (read.hasRemaining() && open.read(read, read.position()) > 0) {}
            assertThat(read.array()).isEqualTo(bytes);
            open.write(ByteBuffer.wrap(new byte[] {9}), 5);
            open.read(read.clear().limit(1), 5);
            assertThat(read.get(0)).isEqualTo((byte) 9);
            open.force(true);
            Files.writeString(file, "another one");
        }
        assertThat(Files.readString(file)).isEqualTo("another one");
    }

    @Test
    void namesAreMovedReplacedAndExchanged() throws IOException {
        Path a = Files.writeString(root.resolve("a"), "a");
        Path b = Files.writeString(root.resolve("b"), "b");
        Files.move(a, b, StandardCopyOption.REPLACE_EXISTING);
        assertThat(Files.readString(b)).isEqualTo("a");
        Path directory = Files.createDirectory(root.resolve("d"));
        Files.createDirectory(directory.resolve("e"));
        Files.writeString(directory.resolve("e").resolve("f"), "deep");
        Files.move(directory, root.resolve("d2"));
        assertThat(Files.readString(root.resolve("d2/e/f"))).isEqualTo("deep");
        assertThatThrownBy(() -> Files.delete(root.resolve("d2/e"))).isInstanceOf(DirectoryNotEmptyException.class);
        Files.delete(root.resolve("d2/e/f"));
        Files.delete(root.resolve("d2/e"));
        assertThatThrownBy(() -> Files.createDirectory(root.resolve("d2")))
                .isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void attributesAreKept() throws IOException, InterruptedException {
        Path file = Files.writeString(root.resolve("f"), "x");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r-xr-----"));
        Files.setAttribute(file, "unix:uid", 1234);
        Files.setAttribute(file, "unix:gid", 4321);
        Instant time = Instant.parse("2001-02-03T04:05:06.123Z");
        Files.setLastModifiedTime(file, FileTime.from(time));
        remount();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("r-xr-----");
        assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(1234);
        assertThat(Files.getAttribute(file, "unix:gid")).isEqualTo(4321);
        assertThat(Files.getLastModifiedTime(file).toInstant()).isEqualTo(time);
    }

    @Test
    void theTimeOfTheLastWriteStaysWhenAFileIsClosed() throws IOException, InterruptedException {
        Path file = root.resolve("f");
        FileTime open;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[10]));
            open = Files.getLastModifiedTime(file);
        }
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(open);
        remount();
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(open);
    }

    @Test
    void aNewFileIsSeenBeforeItIsClosed() throws IOException {
        Path directory = Files.createDirectory(root.resolve("d"));
        Path file = directory.resolve("f");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[10]));
            assertThat(Files.size(file)).isEqualTo(10);
            try (Stream<Path> list = Files.list(directory)) {
                assertThat(list).containsExactly(file);
            }
            assertThatThrownBy(() -> Files.delete(directory)).isInstanceOf(DirectoryNotEmptyException.class);
            Files.move(file, directory.resolve("g"));
            channel.write(ByteBuffer.wrap(new byte[10]));
        }
        assertThat(Files.size(directory.resolve("g"))).isEqualTo(20);
    }

    @Test
    void aSymbolicLinkIsAName() throws IOException, InterruptedException {
        Path link = Files.createSymbolicLink(root.resolve("s"), Path.of("directory/ü"));
        Files.createDirectory(root.resolve("directory"));
        Files.writeString(root.resolve("directory").resolve("ü"), "through it");
        assertThat(Files.readString(link)).isEqualTo("through it");
        assertThatThrownBy(() -> Files.createSymbolicLink(link, Path.of("x")))
                .isInstanceOf(FileAlreadyExistsException.class);
        Files.setAttribute(link, "unix:uid", 17, LinkOption.NOFOLLOW_LINKS);
        Files.move(link, root.resolve("t"));
        remount();
        Path moved = root.resolve("t");
        assertThat(Files.isSymbolicLink(moved)).isTrue();
        assertThat(Files.readSymbolicLink(moved)).hasToString("directory/ü");
        assertThat(Files.getAttribute(moved, "unix:uid", LinkOption.NOFOLLOW_LINKS))
                .isEqualTo(17);
        Files.writeString(moved, "changed");
        assertThat(Files.readString(root.resolve("directory").resolve("ü"))).isEqualTo("changed");
        Files.delete(moved);
        assertThat(Files.exists(root.resolve("directory").resolve("ü"))).isTrue();
    }

    @Test
    void devicesAndFifosKeepTheirTypes() throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("sh", "-c", "mkfifo -m 640 p && mknod -m 600 null c 1 3 && mknod b b 7 200")
                        .directory(root.toFile())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        remount();
        assertThat(Files.getAttribute(root.resolve("p"), "unix:mode")).isEqualTo(0010640);
        assertThat(Files.getAttribute(root.resolve("null"), "unix:mode")).isEqualTo(0020600);
        assertThat(Files.getAttribute(root.resolve("null"), "unix:rdev")).isEqualTo(0x103L);
        assertThat(Files.getAttribute(root.resolve("b"), "unix:rdev")).isEqualTo(0x7c8L);
        assertThatThrownBy(() -> Files.write(root.resolve("null"), new byte[10]))
                .as("the operator did not ask for devices")
                .isInstanceOf(AccessDeniedException.class);
        try (FuseMount asked = rig.mount("asked", MountAccessOptions.FILES.with(false, true), OwnerMap.NAMES)) {
            Files.write(asked.directory().resolve("null"), new byte[10]);
            assertThat(Files.size(asked.directory().resolve("null"))).isZero();
        }
        Files.setPosixFilePermissions(root.resolve("p"), PosixFilePermissions.fromString("rw-rw-rw-"));
        assertThat(Files.getAttribute(root.resolve("p"), "unix:mode")).isEqualTo(0010666);
    }

    @Test
    void othersSeeWhatIsPublishedAndItIsSeenWhatTheyDo() throws IOException, InterruptedException {
        try (FuseMount other = rig.mount("other", false)) {
            Files.writeString(root.resolve("f"), "one");
            assertThat(Files.readString(other.directory().resolve("f"))).isEqualTo("one");
            Files.writeString(other.directory().resolve("g"), "two");
            assertThat(Files.readString(root.resolve("g"))).isEqualTo("two");
        }
    }

    @Test
    void aReadOnlyMountChangesNothing() throws IOException, InterruptedException {
        Files.writeString(root.resolve("f"), "one");
        try (FuseMount other = rig.mount("ro", true)) {
            Path file = other.directory().resolve("f");
            assertThat(Files.readString(file)).isEqualTo("one");
            assertThatThrownBy(() -> Files.delete(file)).hasMessageContaining("Read-only");
            assertThatThrownBy(() -> Files.writeString(file, "x")).hasMessageContaining("Read-only");
        }
    }
}
