// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.process.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hard links on a mount, through the kernel: one file under all of its names. */
@Timeout(300)
@Tag("process")
class HardLinkMountTest extends OneMountFixture {
    private static int links(Path file) throws IOException {
        return (int) Files.getAttribute(file, "unix:nlink");
    }

    private static long inode(Path file) throws IOException {
        return (long) Files.getAttribute(file, "unix:ino");
    }

    private int linksInTable(String path) throws IOException {
        return rig.files().bdt().stat(new FilePath(path)).orElseThrow().extras().links();
    }

    private void run(Path directory, String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(home, "output", "");
        int code = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        assertThat(code)
                .as("%s: %s", List.of(command), Files.readString(output, StandardCharsets.ISO_8859_1))
                .isZero();
    }

    private static boolean isThere(String program) {
        return List.of("/usr/bin", "/bin", "/usr/local/bin").stream()
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    @Test
    void twoNamesAreOneFile() throws IOException {
        Path a = Files.writeString(root.resolve("a"), "one");
        Path directory = Files.createDirectory(root.resolve("d"));
        Path b = Files.createLink(directory.resolve("b"), a);
        assertThat(inode(b)).isEqualTo(inode(a));
        assertThat(links(a)).isEqualTo(2);
        assertThat(Files.isSameFile(a, b)).isTrue();
        Files.writeString(b, " two", StandardOpenOption.APPEND);
        assertThat(Files.readString(a)).isEqualTo("one two");
        // The file is cut to zero and written whole, like a new file.
        Files.writeString(a, "three");
        assertThat(Files.readString(b)).isEqualTo("three");
        Files.setPosixFilePermissions(a, PosixFilePermissions.fromString("rw-------"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(b)))
                .isEqualTo("rw-------");
        assertThat(linksInTable("/d/b")).isEqualTo(2);
        assertThatThrownBy(() -> Files.createLink(b, a)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> Files.createLink(root.resolve("x"), directory))
                .hasMessageContaining("Operation not permitted");
        Files.delete(a);
        assertThat(links(b)).isEqualTo(1);
        assertThat(Files.readString(b)).isEqualTo("three");
        Files.delete(b);
        assertThat(rig.files().bdt().stat(new FilePath("/d/b"))).isEmpty();
    }

    @Test
    void renamesMoveNames() throws IOException {
        Path a = Files.writeString(root.resolve("a"), "one");
        Path b = Files.createLink(root.resolve("b"), a);
        Path c = root.resolve("c");
        Files.move(a, c, StandardCopyOption.ATOMIC_MOVE);
        assertThat(inode(c)).isEqualTo(inode(b));
        // Two names of one file: the rename has no effect.
        Files.move(b, c, StandardCopyOption.ATOMIC_MOVE);
        assertThat(Files.readString(b)).isEqualTo("one");
        assertThat(links(c)).isEqualTo(2);
        Path other = Files.writeString(root.resolve("other"), "other");
        Files.move(other, b, StandardCopyOption.ATOMIC_MOVE);
        assertThat(Files.readString(b)).isEqualTo("other");
        assertThat(Files.readString(c)).isEqualTo("one");
        assertThat(links(c)).isEqualTo(1);
    }

    @Test
    void aFileThatIsOpenIsReachedByTheNamesThatAreLeft() throws IOException {
        Path a = Files.writeString(root.resolve("a"), "one");
        Path b = Files.createLink(root.resolve("b"), a);
        try (FileChannel open = FileChannel.open(a, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            Files.delete(a);
            open.write(ByteBuffer.wrap("two".getBytes(StandardCharsets.UTF_8)), 0);
            assertThat(Files.readString(b)).isEqualTo("two");
            Files.delete(b);
            open.write(ByteBuffer.wrap("six".getBytes(StandardCharsets.UTF_8)), 0);
            ByteBuffer read = ByteBuffer.allocate(3);
            assertThat(open.read(read, 0)).isEqualTo(3);
            assertThat(new String(read.array(), StandardCharsets.UTF_8)).isEqualTo("six");
        }
        assertThatThrownBy(() -> Files.readString(b)).isInstanceOf(NoSuchFileException.class);
    }

    /** Another client made the other name, which is not known here when the file loses this one. */
    @Test
    void whatIsWrittenToAnOpenFileIsSeenByANameThatWasNotKnown() throws IOException {
        Path a = Files.writeString(root.resolve("a"), "one");
        assertThat(rig.files()
                        .bdt()
                        .apply(OperationVector.of(new Operation.Link(new FilePath("/a"), new FilePath("/b")))))
                .isInstanceOf(VectorResult.Applied.class);
        try (FileChannel open = FileChannel.open(a, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            Files.delete(a);
            open.write(ByteBuffer.wrap("two".getBytes(StandardCharsets.UTF_8)), 0);
        }
        assertThat(Files.readString(root.resolve("b"))).isEqualTo("two");
        assertThat(links(root.resolve("b"))).isEqualTo(1);
    }

    @Test
    void aFileThatIsNotClosedYetGetsAnotherName() throws IOException {
        Path a = root.resolve("a");
        try (FileChannel open = FileChannel.open(a, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            open.write(ByteBuffer.wrap("one".getBytes(StandardCharsets.UTF_8)));
            Path b = Files.createLink(root.resolve("b"), a);
            open.write(ByteBuffer.wrap("two".getBytes(StandardCharsets.UTF_8)));
            assertThat(Files.readString(b)).isEqualTo("onetwo");
        }
        assertThat(Files.readString(a)).isEqualTo("onetwo");
        assertThat(inode(a)).isEqualTo(inode(root.resolve("b")));
    }

    @Test
    void aServerThatIsKilledKnowsThemAgain() throws IOException {
        Path a = Files.writeString(root.resolve("a"), "one");
        Path b = Files.createLink(root.resolve("b"), a);
        try (FileChannel open = FileChannel.open(a, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            Files.delete(a);
            KilledServerTest.server(mount).destroyForcibly();
            open.write(ByteBuffer.wrap("two".getBytes(StandardCharsets.UTF_8)), 0);
        }
        assertThat(Files.readString(b)).isEqualTo("two");
        Path c = Files.createLink(root.resolve("c"), b);
        KilledServerTest.server(mount).destroyForcibly();
        assertThat(inode(c)).isEqualTo(inode(b));
        assertThat(links(c)).isEqualTo(2);
    }

    @Test
    void aReadOnlyMountShowsThem() throws IOException, InterruptedException {
        Path a = Files.writeString(root.resolve("a"), "one");
        Path unused = Files.createLink(root.resolve("b"), a);
        try (FuseMount readOnly = rig.mount("r", true)) {
            Path again = readOnly.directory().resolve("a");
            assertThat(inode(again)).isEqualTo(inode(readOnly.directory().resolve("b")));
            assertThat(links(again)).isEqualTo(2);
        }
    }

    /** Clones /d as /c with another client. */
    private void cloneAside() throws IOException {
        assertThat(rig.files()
                        .bdt()
                        .apply(OperationVector.of(
                                new Operation.CloneDirectory(new FilePath("/d"), new FilePath("/c")))))
                .isInstanceOf(VectorResult.Applied.class);
    }

    /** As on overlayfs with an index: writes by one name are read by the others, and the original never changes. */
    @Test
    void namesInACloneStayNamesOfOneFile() throws IOException {
        Path d = Files.createDirectory(root.resolve("d"));
        Path a = Files.writeString(d.resolve("a"), "one");
        Path b = Files.createLink(d.resolve("b"), a);
        cloneAside();
        Path clone = root.resolve("c");
        long inode = inode(clone.resolve("a"));
        assertThat(inode(clone.resolve("b"))).isEqualTo(inode).isNotEqualTo(inode(a));
        assertThat(links(clone.resolve("b"))).isEqualTo(2);
        Files.writeString(clone.resolve("a"), " two", StandardOpenOption.APPEND);
        Files.writeString(clone.resolve("b"), " three", StandardOpenOption.APPEND);
        Files.writeString(clone.resolve("a"), "!", StandardOpenOption.APPEND);
        for (String name : List.of("a", "b")) {
            assertThat(Files.readString(clone.resolve(name))).isEqualTo("one two three!");
            assertThat(inode(clone.resolve(name))).isEqualTo(inode);
            assertThat(links(clone.resolve(name))).isEqualTo(2);
        }
        assertThat(Files.readString(a)).isEqualTo("one");
        assertThat(Files.readString(b)).isEqualTo("one");
        assertThat(links(a)).isEqualTo(2);
        // Links made in the clone are names of the same file.
        Path c = Files.createLink(clone.resolve("c"), clone.resolve("a"));
        Files.writeString(c, "four");
        assertThat(Files.readString(clone.resolve("b"))).isEqualTo("four");
        assertThat(links(clone.resolve("b"))).isEqualTo(3);
        Files.delete(clone.resolve("a"));
        assertThat(links(clone.resolve("b"))).isEqualTo(2);
        assertThat(links(a)).isEqualTo(2);
        assertThat(Files.readString(a)).isEqualTo("one");
    }

    @Test
    void aNameThatNobodyLookedAtBeforeTheChangeIsTheSameFile() throws IOException, InterruptedException {
        for (String change :
                List.of("chmod 600 a", "rm a", "mv a z", "echo x >> a", "ln a z", "touch -d 2001-01-01 a")) {
            Path d = Files.createDirectory(root.resolve("d"));
            Files.createLink(d.resolve("b"), Files.writeString(d.resolve("a"), "one"));
            cloneAside();
            Path clone = root.resolve("c");
            // The mount made none, and may trust that it does not exist for the configured time.
            Await.until("the clone is seen", () -> Files.exists(clone.resolve("a")));
            long inode = inode(clone.resolve("a"));
            run(clone, "sh", "-c", change);
            Path other = clone.resolve("b");
            if (Files.exists(clone.resolve("a"))) {
                assertThat(inode(clone.resolve("a"))).as(change).isEqualTo(inode);
                assertThat(inode(other)).as(change).isEqualTo(inode);
            }
            assertThat(links(other))
                    .as(change)
                    .isEqualTo(change.startsWith("rm") ? 1 : change.startsWith("ln") ? 3 : 2);
            assertThat(links(d.resolve("b"))).as(change).isEqualTo(2);
            run(root, "rm", "-r", "d", "c");
        }
    }

    @Test
    void symbolicLinksHaveSeveralNamesToo() throws IOException, InterruptedException {
        Path link = Files.createSymbolicLink(root.resolve("s"), Path.of("nowhere"));
        run(root, "ln", "-P", "s", "t");
        assertThat(Files.readSymbolicLink(root.resolve("t"))).isEqualTo(Path.of("nowhere"));
        Files.delete(link);
        assertThat(Files.readSymbolicLink(root.resolve("t"))).isEqualTo(Path.of("nowhere"));
    }

    @Test
    void aTreeOfLinksIsATreeOfLinks() throws IOException, InterruptedException {
        Path tree = Files.createDirectories(root.resolve("tree/d"));
        for (int i = 0; i < 20; i++) {
            Files.writeString(tree.resolve("f" + i), "file " + i);
        }
        run(root, "cp", "-al", "tree", "copy");
        for (int i = 0; i < 20; i++) {
            assertThat(links(root.resolve("copy/d/f" + i))).isEqualTo(2);
            assertThat(inode(root.resolve("copy/d/f" + i))).isEqualTo(inode(tree.resolve("f" + i)));
        }
        // cp -a keeps the names of one file together.
        Path local = home.resolve("local");
        run(root, "cp", "-a", root.toString(), local.toString());
        assertThat(Files.isSameFile(local.resolve("copy/d/f1"), local.resolve("tree/d/f1")))
                .isTrue();
        run(root, "cp", "-a", local.toString(), "again");
        assertThat(links(root.resolve("again/tree/d/f1"))).isEqualTo(2);
        if (isThere("rsync")) {
            run(root, "rsync", "-aH", local + "/", "synced/");
            assertThat(Files.isSameFile(root.resolve("synced/copy/d/f3"), root.resolve("synced/tree/d/f3")))
                    .isTrue();
            run(root, "rsync", "-aH", "--delete", local + "/", "synced/");
        }
        run(root, "rm", "-r", "tree");
        assertThat(Files.readString(root.resolve("copy/d/f7"))).isEqualTo("file 7");
        assertThat(links(root.resolve("copy/d/f7"))).isEqualTo(1);
    }

    @Test
    void gitClonesByLinks() throws IOException, InterruptedException {
        assumeTrue(isThere("git"), "git is not there: apt-get install git");
        Path origin = Files.createDirectory(root.resolve("origin"));
        Files.writeString(origin.resolve("f"), "text\n");
        run(origin, "git", "init", "-q");
        run(origin, "git", "add", ".");
        run(origin, "git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "One");
        run(origin, "git", "gc", "-q");
        run(root, "git", "clone", "-q", "--local", "origin", "clone");
        try (DirectoryStream<Path> packs =
                Files.newDirectoryStream(root.resolve("clone/.git/objects/pack"), "*.pack")) {
            assertThat(links(packs.iterator().next())).isEqualTo(2);
        }
        run(root.resolve("clone"), "git", "fsck", "--strict");
        run(root, "rm", "-rf", "origin");
        run(root.resolve("clone"), "git", "fsck", "--strict");
        run(root.resolve("clone"), "git", "gc", "-q");
    }
}
