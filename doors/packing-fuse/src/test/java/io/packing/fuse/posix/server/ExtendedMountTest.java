// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.bdt.ExtendedValue;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Extended attributes, access control lists and times on a mount. The JDK knows attributes of users only; perl asks for
 * the others.
 */
@Timeout(300)
@Tag("process")
class ExtendedMountTest {
    private static final int ENODATA = 61;
    private static final int EEXIST = 17;
    private static final int ERANGE = 34;
    private static final int E2BIG = 7;
    private static final int EACCES = 13;
    private static final String NOBODY = "65534";
    private static final String ACCESS = "system.posix_acl_access";
    private static final String DEFAULT = "system.posix_acl_default";
    /** A list: owner rw, nobody r, group and mask r, others none. */
    private static final String NOBODY_READS = "02000000" + "01000600ffffffff" + "02000400feff0000" + "04000000ffffffff"
            + "10000400ffffffff" + "20000000ffffffff";
    /** The capability cap_net_raw=ep, in the form of setcap. */
    private static final String CAPABILITY = "0100000200200000000000000000000000000000";

    @TempDir
    private Path home;

    private MountRig rig;
    private FuseMount mount;
    private Path root;

    @BeforeEach
    void mount() throws IOException, InterruptedException {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/perl")), "no perl: apt-get install perl-base");
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "the numbers of system calls are those of amd64");
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        rig = MountRig.start(home);
        mount = rig.mount("m", false);
        root = mount.directory();
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        if (rig != null) {
            try (MountRig closing = rig) {
                mount.close();
            }
        }
    }

    private void again() throws IOException, InterruptedException {
        mount.close();
        mount = rig.mount("m", false);
    }

    private int perl(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("/usr/bin/perl", "-e"));
        command.addAll(List.of(words));
        return new ProcessBuilder(command)
                .directory(root.toFile())
                .inheritIO()
                .start()
                .waitFor();
    }

    private int set(String file, String name, String hex, int flags) throws IOException, InterruptedException {
        return perl(
                "my ($f, $n, $h, $x) = @ARGV; my $v = pack('H*', $h); exit(syscall(188, $f, $n, $v, length($v), $x + 0) == 0 ? 0 : $!)",
                file,
                name,
                hex,
                Integer.toString(flags));
    }

    /** Checks that an attribute has a value; returns the error number if it has not. */
    private int check(String file, String name, String hex) throws IOException, InterruptedException {
        return perl(
                "my ($f, $n, $h) = @ARGV; my $v = ' ' x 70000; my $l = syscall(191, $f, $n, $v, 70000); exit($!) if $l < 0;"
                        + " exit(unpack('H*', substr($v, 0, $l)) eq $h ? 0 : 255)",
                file,
                name,
                hex);
    }

    private int remove(String file, String name) throws IOException, InterruptedException {
        return perl("my ($f, $n) = @ARGV; exit(syscall(197, $f, $n) == 0 ? 0 : $!)", file, name);
    }

    private int asNobody(String code, String... words) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("$) = \"65534 65534\"; $> = 65534; " + code));
        all.addAll(List.of(words));
        return perl(all.toArray(String[]::new));
    }

    private static int mode(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777;
    }

    @Test
    void theyAreKeptByNewMountsAndByWritesAndOtherDoorsSeeThem() throws IOException, InterruptedException {
        Files.writeString(root.resolve("a"), "a");
        UserDefinedFileAttributeView view =
                Files.getFileAttributeView(root.resolve("a"), UserDefinedFileAttributeView.class);
        assertThat(view.write("ü", ByteBuffer.wrap(new byte[] {1, 2}))).isEqualTo(2);
        assertThat(set("a", "security.capability", CAPABILITY, 0)).isZero();
        assertThat(set("a", "trusted.overlay.opaque", "79", 0)).isZero();
        again();
        assertThat(check("a", "security.capability", CAPABILITY)).isZero();
        assertThat(check("a", "trusted.overlay.opaque", "79")).isZero();
        // A write takes the capability away, and no other attribute.
        Files.writeString(root.resolve("a"), "all of it again");
        Files.writeString(root.resolve("a"), "more", StandardOpenOption.APPEND);
        again();
        assertThat(view.list()).containsExactly("ü");
        assertThat(check("a", "security.capability", CAPABILITY)).isEqualTo(ENODATA);
        Map<String, ExtendedValue> known =
                rig.files().bdt().extended(new FilePath("/a")).orElseThrow();
        assertThat(known)
                .isEqualTo(Map.of(
                        "user.ü", new ExtendedValue(new byte[] {1, 2}),
                        "trusted.overlay.opaque", new ExtendedValue("y".getBytes(StandardCharsets.US_ASCII))));
        assertThat(remove("a", "user.ü")).isZero();
        assertThat(remove("a", "user.ü")).isEqualTo(ENODATA);
        assertThat(view.list()).isEmpty();
    }

    @Test
    void whoMayNotKnowTrustedNamesDoesNotSeeThem() throws IOException, InterruptedException {
        Files.writeString(root.resolve("a"), "a");
        assertThat(set("a", "trusted.a", "01", 0)).isZero();
        String count = "my $f = 'a'; my $v = ' ' x 100; exit(syscall(194, $f, $v, 100))";
        assertThat(perl(count)).isEqualTo("trusted.a".length() + 1);
        assertThat(asNobody(count)).isZero();
    }

    @Test
    void limitsAreThoseOfLinux() throws IOException, InterruptedException {
        Files.writeString(root.resolve("a"), "a");
        String large =
                "my ($l, $n) = @ARGV; my $f = 'a'; my $v = 'x' x $l; exit(syscall(188, $f, $n, $v, $l + 0, 0) == 0 ? 0 : $!)";
        assertThat(perl(large, "65536", "user.a")).isZero();
        assertThat(perl(large, "65537", "user.b")).isEqualTo(E2BIG);
        assertThat(perl(large, "1", "user." + "b".repeat(250))).isZero();
        assertThat(perl(large, "1", "user." + "b".repeat(251))).isEqualTo(ERANGE);
        assertThat(perl(large, "65536", "user.c")).as("ENOSPC").isEqualTo(28);
        assertThat(perl("my ($f, $n, $v) = ('a', 'user.a', ' '); exit(syscall(191, $f, $n, $v, 1) < 0 ? $! : 0)"))
                .isEqualTo(ERANGE);
        assertThat(perl("my ($f, $n) = ('a', 'user.a'); exit(syscall(191, $f, $n, 0, 0) == 65536 ? 0 : 1)"))
                .isZero();
        assertThat(set("a", "user.a", "01", 1)).isEqualTo(EEXIST);
        assertThat(set("a", "user.new", "01", 2)).isEqualTo(ENODATA);
        assertThat(set("a", "user.a", "01", 2)).isZero();
    }

    @Test
    void accessControlListsAreEnforcedAndFollowTheMode() throws IOException, InterruptedException {
        Path file = Files.writeString(root.resolve("a"), "a");
        Files.setAttribute(file, "unix:mode", 0600);
        String read = "open(my $f, '<', 'a') or exit($!); exit(0)";
        assertThat(asNobody(read)).isEqualTo(EACCES);
        assertThat(set("a", ACCESS, NOBODY_READS, 0)).isZero();
        assertThat(asNobody(read)).isZero();
        assertThat(mode(file)).isEqualTo(0640);
        again();
        assertThat(asNobody(read)).isZero();
        // The group's bits of the mode are the mask.
        Files.setAttribute(file, "unix:mode", 0600);
        assertThat(asNobody(read)).isEqualTo(EACCES);
        assertThat(check("a", ACCESS, NOBODY_READS.replace("10000400", "10000000")))
                .isZero();
        Files.setAttribute(file, "unix:mode", 0640);
        assertThat(asNobody(read)).isZero();
        assertThat(remove("a", ACCESS)).isZero();
        assertThat(asNobody(read)).isEqualTo(EACCES);
    }

    @Test
    void newFilesGetWhatTheirDirectorySays() throws IOException, InterruptedException {
        Path directory = Files.createDirectory(root.resolve("d"));
        String all = NOBODY_READS
                .replace("01000600", "01000700")
                .replace("10000400", "10000700")
                .replace("02000400", "02000700");
        assertThat(set("d", DEFAULT, all, 0)).isZero();
        Files.writeString(directory.resolve("a"), "some");
        Path below = Files.createDirectory(directory.resolve("b"));
        again();
        assertThat(Files.readString(directory.resolve("a"))).isEqualTo("some");
        assertThat(mode(directory.resolve("a"))).isEqualTo(0660);
        assertThat(check("d/a", ACCESS, all.replace("01000700", "01000600").replace("10000700", "10000600")))
                .isZero();
        assertThat(check("d/a", DEFAULT, all)).isEqualTo(ENODATA);
        assertThat(check("d/b", DEFAULT, all)).isZero();
        assertThat(check("d/b", ACCESS, all)).isZero();
        assertThat(mode(below)).isEqualTo(0770);
        // Without such a list the umask counts.
        assertThat(perl("umask(0027); mkdir('e', 0777) or exit(1); open(my $f, '>', 'e/f') or exit(2); exit(0)"))
                .isZero();
        assertThat(mode(root.resolve("e"))).isEqualTo(0750);
        assertThat(mode(root.resolve("e/f"))).isEqualTo(0640);
    }

    @Test
    void whoMayNotLeaveThemTakesSetUserIdBitsAway() throws IOException, InterruptedException {
        Path file = Files.writeString(root.resolve("a"), "a");
        String write = "open(my $f, '+<', 'a') or exit($!); syswrite($f, 'b') or exit($!); exit(0)";
        Files.setAttribute(file, "unix:mode", 06777);
        assertThat(perl(write)).isZero();
        assertThat(mode(file)).as("root may leave them").isEqualTo(06777);
        assertThat(asNobody(write)).isZero();
        assertThat(mode(file)).isEqualTo(0777);
        Files.setAttribute(file, "unix:mode", 06777);
        assertThat(asNobody("truncate('a', 1) or exit($!); exit(0)")).isZero();
        assertThat(mode(file)).isEqualTo(0777);
        Files.setAttribute(file, "unix:mode", 06777);
        assertThat(perl("chown(" + NOBODY + ", -1, 'a') or exit(1); exit(0)")).isZero();
        assertThat(mode(file)).isEqualTo(0777);
    }

    @Test
    void timesAreKeptToTheNanosecond() throws IOException, InterruptedException {
        Path file = Files.writeString(root.resolve("a"), "a");
        FileTime time = FileTime.from(Instant.ofEpochSecond(77, 123_456_789));
        Files.setLastModifiedTime(file, time);
        FileTime changed = (FileTime) Files.getAttribute(file, "unix:ctime");
        again();
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(time);
        assertThat(Files.getAttribute(file, "unix:ctime")).isEqualTo(changed);
        // Check also a file that is not closed yet.
        assertThat(
                        perl(
                                "open(my $f, '>', 'b') or exit(1); print $f 'b'; $f->flush();"
                                        + " my $t = pack('q4', 5, 6, 7, 123456789); exit(syscall(280, fileno($f), 0, $t, 0) == 0 ? 0 : $!)"))
                .isZero();
        again();
        assertThat(Files.getLastModifiedTime(root.resolve("b")))
                .isEqualTo(FileTime.from(Instant.ofEpochSecond(7, 123_456_789)));
    }
}
