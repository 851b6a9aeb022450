// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.packing.certificates.IssuedCertificate;
import io.packing.certificates.TestAuthority;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A call that a user of Hadoop has no right to fails with Hadoop's exception, in every method. */
@Timeout(180)
final class DeniedRightsTest {
    private static final byte[] BYTES = "of alice".getBytes(StandardCharsets.UTF_8);
    private static final org.apache.hadoop.fs.Path OPEN = new org.apache.hadoop.fs.Path("/open");
    private static final org.apache.hadoop.fs.Path SECRET = new org.apache.hadoop.fs.Path("/open/secret");
    private static final org.apache.hadoop.fs.Path CLOSED = new org.apache.hadoop.fs.Path("/closed");

    @TempDir
    private Path home;

    private TestAuthority authority;
    private LocalMount mount;

    @BeforeEach
    void start() throws IOException {
        authority = TestAuthority.create(
                home.resolve("certificates"), "authority", Clock.systemUTC().instant());
        IssuedCertificate daemon = authority.issue("daemon", "CN=node-1, O=packing-daemon");
        mount = LocalMount.start(home, "1h", authority.options("bdt", daemon), authority.options("packing", daemon));
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    private FileSystem files(String user) throws IOException {
        Configuration configuration = mount.configure(new Configuration(false));
        authority.options("packing", authority.issue(user, "CN=" + user)).forEach(configuration::set);
        return FileSystem.newInstance(mount.uri(), configuration);
    }

    private static void denied(ThrowingCallable call) {
        assertThatExceptionOfType(AccessControlException.class)
                .isThrownBy(call)
                .withMessageContaining("Permission denied: user=bob")
                .withMessageMatching("(?s).*inode=\"/(open/secret|open|closed)\":alice:.*");
    }

    private static void make(FileSystem alice) throws IOException {
        assertThat(alice.mkdirs(OPEN, new FsPermission((short) 0755))).isTrue();
        assertThat(alice.mkdirs(CLOSED, new FsPermission((short) 0700))).isTrue();
        try (FSDataOutputStream out = alice.create(SECRET, false)) {
            out.write(BYTES);
        }
        alice.setPermission(SECRET, new FsPermission((short) 0600));
    }

    private static void append(FileSystem files) throws IOException {
        FSDataOutputStream out = files.append(SECRET);
        out.write(BYTES);
        out.hflush();
    }

    @Test
    void whatAUserMayNotIsAnAccessControlException() throws IOException {
        try (FileSystem alice = files("alice");
                FileSystem bob = files("bob")) {
            make(alice);
            denied(() -> bob.open(SECRET));
            denied(() -> bob.listStatus(CLOSED));
            denied(() -> bob.getFileStatus(new org.apache.hadoop.fs.Path(CLOSED, "x")));
            denied(() -> bob.create(new org.apache.hadoop.fs.Path(OPEN, "new")));
            denied(() -> bob.create(SECRET, true));
            denied(() -> append(bob));
            denied(() -> bob.mkdirs(new org.apache.hadoop.fs.Path(OPEN, "new/dir")));
            denied(() -> bob.delete(SECRET, false));
            denied(() -> bob.rename(SECRET, new org.apache.hadoop.fs.Path("/mine")));
            denied(() -> bob.setPermission(SECRET, new FsPermission((short) 0777)));
            denied(() -> bob.setTimes(SECRET, 1, -1));
            denied(() -> bob.setOwner(SECRET, "bob", null));
            denied(() -> bob.truncate(SECRET, 1));
            denied(() -> bob.createSnapshot(OPEN, "s"));
            denied(() -> bob.access(SECRET, FsAction.READ));
            denied(() -> bob.access(OPEN, FsAction.WRITE_EXECUTE));
            bob.access(OPEN, FsAction.READ_EXECUTE);
            alice.access(SECRET, FsAction.READ_WRITE);
            assertThatExceptionOfType(FileNotFoundException.class)
                    .isThrownBy(() -> alice.access(new org.apache.hadoop.fs.Path("/none"), FsAction.READ));
            assertThat(bob.getFileStatus(SECRET).getLen()).isEqualTo(BYTES.length);
            byte[] read = new byte[BYTES.length];
            try (FSDataInputStream in = alice.open(SECRET)) {
                in.readFully(0, read);
            }
            assertThat(read).isEqualTo(BYTES);
        }
    }

    @Test
    void aDirectoryIsMovedIntoByThemWhoMayWriteInIt() throws IOException {
        try (FileSystem alice = files("alice");
                FileSystem bob = files("bob")) {
            make(alice);
            org.apache.hadoop.fs.Path own = new org.apache.hadoop.fs.Path("/bobs");
            bob.create(own).close();
            denied(() -> bob.rename(own, OPEN));
            alice.setPermission(OPEN, new FsPermission((short) 0777));
            assertThat(bob.rename(own, OPEN)).isTrue();
            assertThat(bob.getFileStatus(new org.apache.hadoop.fs.Path(OPEN, "bobs"))
                            .getOwner())
                    .isEqualTo("bob");
        }
    }
}
