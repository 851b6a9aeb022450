// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A clone of a directory on a writable mount: a file of it stays one file when the table makes it the clone's own. */
@Timeout(300)
@Tag("process")
class ClonedTreeTest {
    @TempDir
    private Path home;

    private MountRig rig;
    private FuseMount mount;
    private Path original;
    private Path clone;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        rig = MountRig.start(home);
        mount = rig.mount("m", false);
        original = mount.directory().resolve("original");
        clone = mount.directory().resolve("clone");
        Files.createDirectories(original.resolve("etc/deep"));
        Files.writeString(original.resolve("etc/f"), "as it was");
        Files.writeString(original.resolve("etc/deep/g"), "below");
        VectorResult cloned = rig.files()
                .bdt()
                .apply(OperationVector.of(
                        new Operation.CloneDirectory(new FilePath("/original"), new FilePath("/clone"))));
        assertThat(cloned).isInstanceOf(VectorResult.Applied.class);
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        if (rig != null) {
            try (MountRig closing = rig) {
                mount.close();
            }
        }
    }

    private static long inode(Path file) throws IOException {
        return (Long) Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS);
    }

    /** Overwrites a file like {@code cp --preserve}. */
    private static void overwrite(Path file, String text) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
            Files.getFileAttributeView(file, BasicFileAttributeView.class)
                    .setTimes(FileTime.from(1_000_000, TimeUnit.SECONDS), null, null);
        }
    }

    @Test
    void anOpenFileWhoseModeAndTimesAreSetIsClosedWithWhatWasWritten() throws IOException {
        Path file = clone.resolve("etc/f");
        long before = inode(file);
        overwrite(file, "other");
        assertThat(file).hasContent("other");
        assertThat(inode(file)).isEqualTo(before);
        assertThat(Files.getLastModifiedTime(file).to(TimeUnit.SECONDS)).isEqualTo(1_000_000);
        assertThat(original.resolve("etc/f")).hasContent("as it was");
    }

    @Test
    void programsNeverTakeACloneForItsOriginal() throws IOException {
        for (String name : new String[] {"", "etc", "etc/f", "etc/deep", "etc/deep/g"}) {
            assertThat(inode(clone.resolve(name))).as(name).isNotEqualTo(inode(original.resolve(name)));
        }
        Files.writeString(clone.resolve("etc/f"), "as it is");
        assertThat(inode(clone.resolve("etc/f"))).isNotEqualTo(inode(original.resolve("etc/f")));
    }

    @Test
    void aDirectoryThatSomebodyIsInStaysWhenAFileIsMadeThere() throws Exception {
        String script = """
                set -e
                cd etc/deep
                before=$(stat -c %i .)
                echo one > new
                sleep 1.5
                test "$(stat -c %i ../deep)" = "$before"
                echo two > more
                chmod 700 .
                sleep 1.5
                echo three >> g
                mv g h
                test "$(stat -c %i .)" = "$before"
                ls
                """;
        Path said = home.resolve("said");
        Process shell = new ProcessBuilder("sh", "-c", script)
                .directory(clone.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(shell.waitFor()).as(Files.readString(said)).isZero();
        assertThat(said).hasContent("h\nmore\nnew\n");
        assertThat(clone.resolve("etc/deep/h")).hasContent("belowthree\n");
        assertThat(original.resolve("etc/deep/g")).hasContent("below");
        assertThat(original.resolve("etc/deep/new")).doesNotExist();
    }

    @Test
    void aKilledServerChangesNothingForThoseWhoHaveSomethingOpen() throws IOException {
        Path file = clone.resolve("etc/f");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap("AS".getBytes(StandardCharsets.UTF_8)), 0);
            ProcessHandle.of(mount.keeper()).orElseThrow().children().forEach(ProcessHandle::destroyForcibly);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
            channel.write(ByteBuffer.wrap("IS".getBytes(StandardCharsets.UTF_8)), 3);
        }
        assertThat(file).hasContent("AS IS was");
        assertThat(original.resolve("etc/f")).hasContent("as it was");
    }

    @Test
    void aMountOfAPartOfACloneGoesOnWhenThatBecomesTheClonesOwn() throws IOException, InterruptedException {
        try (FuseMount part = rig.mount("part", new FilePath("/clone/etc"), false)) {
            Path at = part.directory();
            long before = inode(at);
            Files.writeString(at.resolve("new"), "new");
            Files.writeString(clone.resolve("etc/other"), "other");
            TimeUnit.MILLISECONDS.sleep(1_500);
            assertThat(at.resolve("other")).hasContent("other");
            assertThat(inode(at)).isEqualTo(before);
        }
    }
}
