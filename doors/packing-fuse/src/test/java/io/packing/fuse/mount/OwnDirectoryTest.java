// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories of mounts that no other user may enter. */
class OwnDirectoryTest {
    private static final int ANOTHER_USER = 54_321;

    @TempDir
    private Path home;

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static void open(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void giveAway(Path file) throws IOException {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root gives files to other users");
        Files.setAttribute(file, "unix:uid", ANOTHER_USER);
    }

    @Test
    void aStateDirectoryIsMadeForItsUserAlone() throws IOException {
        assertThat(mode(OwnDirectory.ofState(home.resolve("state")))).isEqualTo("rwx------");
    }

    @Test
    void aStateDirectoryThatAnOlderVersionLeftOpenIsClosed() throws IOException {
        Path state = Files.createDirectory(home.resolve("state"));
        Files.createFile(state.resolve(FuseMount.LOCK_FILE));
        open(state);
        assertThat(mode(OwnDirectory.ofState(state))).isEqualTo("rwx------");
    }

    @Test
    void anOpenDirectoryWithOtherThingsInItIsNoStateDirectory() throws IOException {
        Path shared = Files.createDirectory(home.resolve("shared"));
        Files.createFile(shared.resolve("file"));
        open(shared);
        assertThatThrownBy(() -> OwnDirectory.ofState(shared)).hasMessageContaining("is open to other users");
        assertThat(mode(shared)).isEqualTo("rwxr-xr-x");
    }

    @Test
    void aStateDirectoryInWhichOthersCouldWriteIsRefused() throws IOException {
        Path state = Files.createDirectory(home.resolve("state"));
        Files.createFile(state.resolve(FuseMount.LOCK_FILE));
        Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> OwnDirectory.ofState(state)).hasMessageContaining("is open to other users");
    }

    @Test
    void noLinkIsFollowedToAStateDirectory() throws IOException {
        Path target = Files.createDirectory(home.resolve("target"));
        Path link = Files.createSymbolicLink(home.resolve("link"), target);
        assertThatThrownBy(() -> OwnDirectory.ofState(link)).hasMessageContaining("or a link to one");
        assertThat(target).isEmptyDirectory();
    }

    @Test
    void aDirectoryOfAnotherUserIsRefused() throws IOException {
        Path state = Files.createDirectory(home.resolve("state"));
        giveAway(state);
        assertThatThrownBy(() -> OwnDirectory.ofState(state)).hasMessageContaining("is another user's");
        assertThatThrownBy(() -> OwnDirectory.hide(state.resolve("mount"))).hasMessageContaining("is another user's");
    }

    @Test
    void aMountPointIsMadeInADirectoryThatHidesIt() throws IOException {
        Path mount = home.resolve("images/mount");
        OwnDirectory.hide(mount);
        assertThat(mode(mount)).isEqualTo("rwx------");
        assertThat(mode(home.resolve("images"))).isEqualTo("rwx------");
        // The next start finds both.
        OwnDirectory.hide(mount);
    }

    @Test
    void aMountPointThatOthersCouldReachIsRefused() throws IOException {
        Path mount = Files.createDirectories(home.resolve("images/mount"));
        open(home.resolve("images"));
        assertThatThrownBy(() -> OwnDirectory.hide(mount))
                .hasMessageContaining("other users may enter " + home.resolve("images"))
                .hasMessageContaining("chmod 700");
        assertThat(mode(home.resolve("images"))).isEqualTo("rwxr-xr-x");
    }

    @Test
    void aDirectoryThatOthersCouldReplaceIsRefused() throws IOException {
        Path others = Files.createDirectories(home.resolve("others"));
        Path mount = others.resolve("images/mount");
        Files.setPosixFilePermissions(others, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> OwnDirectory.hide(mount)).hasMessageContaining("in the place of");
        open(others);
        OwnDirectory.hide(mount);
        giveAway(others);
        assertThatThrownBy(() -> OwnDirectory.hide(mount)).hasMessageContaining("in the place of");
    }
}
