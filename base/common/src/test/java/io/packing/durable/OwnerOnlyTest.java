// SPDX-License-Identifier: Apache-2.0
package io.packing.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The modes of a process's files, which do not depend on its umask. */
class OwnerOnlyTest {
    @TempDir
    private Path root;

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private Path open(String name, String mode) throws IOException {
        Path directory = Files.createDirectory(root.resolve(name));
        return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(mode));
    }

    @Test
    void aNewDirectoryIsTheUsersAlone() throws IOException {
        assertThat(mode(OwnerOnly.directory(root.resolve("a/b")))).isEqualTo("rwx------");
        assertThat(mode(DurableDirectory.create(root.resolve("c/d")))).isEqualTo("rwx------");
    }

    @Test
    void aDirectoryThatOthersCouldEnterIsTakenFromThem() throws IOException {
        for (String before : new String[] {"rwxr-xr-x", "rwxrwx---", "rwxrwxrwx"}) {
            assertThat(mode(OwnerOnly.directory(open(before, before))))
                    .as(before)
                    .isEqualTo("rwx------");
        }
        assertThat(mode(DurableDirectory.create(open("durable", "rwxr-x--x")))).isEqualTo("rwx------");
    }

    @Test
    void aDirectoryOfAllUsersStaysAsItIs() throws IOException {
        Path shared = open("shared", "rwxrwxrwx");
        Files.setAttribute(shared, "unix:mode", 01777);
        assertThat(OwnerOnly.directory(shared)).isEqualTo(shared);
        assertThat(mode(shared)).isEqualTo("rwxrwxrwx");
    }

    @Test
    void whatAnotherUserPutIntoASharedDirectoryIsNoDirectoryOfADaemon() throws IOException {
        Path shared = open("shared", "rwxrwxrwx");
        Files.setAttribute(shared, "unix:mode", 01777);
        Path elsewhere = open("elsewhere", "rwxr-xr-x");
        Path link = Files.createSymbolicLink(shared.resolve("link"), elsewhere);
        Path dangling = Files.createSymbolicLink(shared.resolve("dangling"), root.resolve("new"));
        Path directory = Files.createDirectory(shared.resolve("directory"));
        assertThat(mode(OwnerOnly.directory(link))).as("the user's own link").isEqualTo("rwx------");
        for (Path each : new Path[] {link, dangling, directory}) {
            giveToAnother(each);
        }
        Path set = Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (Path each : new Path[] {link, dangling, directory, link.resolve("below"), directory.resolve("a/b")}) {
            assertThatThrownBy(() -> OwnerOnly.directory(each))
                    .as(each.toString())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("another user's")
                    .hasMessageContaining("remove it, or name another folder");
        }
        assertThat(set).isEmptyDirectory();
        assertThat(mode(set)).isEqualTo("rwxr-xr-x");
        assertThat(directory).isEmptyDirectory();
        assertThat(root.resolve("new")).doesNotExist();
        assertThat(mode(OwnerOnly.directory(shared.resolve("own/buffer")))).isEqualTo("rwx------");
    }

    private static void giveToAnother(Path path) throws IOException {
        try {
            Files.setAttribute(path, "unix:uid", 54321, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            assumeTrue(false, "run this as root: only root gives files to another user");
        }
    }

    @Test
    void aNewFileIsTheUsersAlone() throws IOException {
        Path file = root.resolve("file");
        try (FileChannel channel = OwnerOnly.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            assertThat(channel.size()).isZero();
        }
        assertThat(mode(file)).isEqualTo("rw-------");
        DurableFile.write(root, "text", "text");
        assertThat(mode(root.resolve("text"))).isEqualTo("rw-------");
        try (DirectoryLock lock = DirectoryLock.acquire(root, "lock")) {
            assertThat(lock).isNotNull();
            assertThat(mode(root.resolve("lock"))).isEqualTo("rw-------");
        }
    }

    @Test
    void aLinkInASharedDirectoryIsNotFollowed() throws IOException {
        Path shared = open("tmp", "rwxrwxrwx");
        Path named = shared.resolve("packing-alice");
        assertThat(mode(OwnerOnly.inShared(named))).isEqualTo("rwx------");
        assertThat(OwnerOnly.inShared(named)).as("the one that is there").isEqualTo(named);
        Path elsewhere = open("elsewhere", "rwx------");
        Path link = Files.createSymbolicLink(shared.resolve("packing-bob"), elsewhere);
        assertThatThrownBy(() -> OwnerOnly.inShared(link))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is a link, or another user's");
        Path file = Files.createFile(shared.resolve("packing-carol"));
        assertThatThrownBy(() -> OwnerOnly.inShared(file)).isInstanceOf(IOException.class);
        assertThat(elsewhere).isEmptyDirectory();
    }
}
