// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.posix.owner.OwnerMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The reach of an ordinary user of the machine, {@code nobody}, into a mount. */
@Timeout(300)
@Tag("process")
class LocalUserTest {
    /** The capabilities cap_dac_override and cap_dac_read_search, in the form of setcap. */
    private static final String CAPABILITY = "0100000206000000000000000000000000000000";

    @TempDir
    private Path home;

    private MountRig rig;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/perl")), "no perl: apt-get install perl-base");
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "the numbers of system calls are those of amd64");
        rig = MountRig.start(home);
    }

    @AfterEach
    void stop() throws IOException {
        if (rig != null) {
            rig.close();
        }
    }

    /** The result of a program. */
    private record Ran(int code, String said) {}

    private static Ran run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        return new Ran(process.waitFor(), said.strip());
    }

    private static Ran asNobody(String... command) throws IOException, InterruptedException {
        List<String> words =
                new ArrayList<>(List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"));
        words.addAll(List.of(command));
        return run(words.toArray(String[]::new));
    }

    private static void mustRun(String... command) throws IOException, InterruptedException {
        Ran ran = run(command);
        assertThat(ran.code()).as(ran.said()).isZero();
    }

    /** Makes a set-user-ID program, a program with capabilities, a device, and a secret beside the mount. */
    private void makePrivileges(Path root) throws IOException, InterruptedException {
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
        mustRun("cp", "/usr/bin/id", root + "/suid");
        mustRun("chmod", "4755", root + "/suid");
        mustRun("cp", "/bin/cat", root + "/capable");
        mustRun(
                "perl",
                "-e",
                "my ($p, $n, $v) = ('%s/capable', 'security.capability', pack('H*', '%s')); exit(syscall(188, $p, $n, $v, length($v), 0) == 0 ? 0 : 1)"
                        .formatted(root, CAPABILITY));
        mustRun("mknod", "-m", "666", root + "/zero", "c", "1", "5");
        Files.writeString(home.resolve("secret"), "secret");
        Files.setPosixFilePermissions(home.resolve("secret"), PosixFilePermissions.fromString("rw-------"));
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void filesGiveALocalUserNoPrivileges() throws IOException, InterruptedException {
        try (FuseMount mount = rig.mount("m", false)) {
            Path root = mount.directory();
            makePrivileges(root);
            assertThat(asNobody(root + "/suid", "-u")).isEqualTo(new Ran(0, "65534"));
            assertThat(asNobody(root + "/capable", home + "/secret").said()).contains("Permission denied");
            assertThat(asNobody("head", "-c", "1", root + "/zero").said()).contains("Permission denied");
        }
    }

    @Test
    void anOperatorWhoAsksForPrivilegesOfFilesGetsThem() throws IOException, InterruptedException {
        try (FuseMount mount = rig.mount("m", MountAccessOptions.FILES.with(true, true), OwnerMap.NAMES)) {
            Path root = mount.directory();
            makePrivileges(root);
            assertThat(asNobody(root + "/suid", "-u")).isEqualTo(new Ran(0, "0"));
            assertThat(asNobody(root + "/capable", home + "/secret")).isEqualTo(new Ran(0, "secret"));
            assertThat(asNobody("head", "-c", "1", root + "/zero").code()).isZero();
        }
    }

    @Test
    void whatTheDaemonsOfAMountWriteIsTheirsAlone() throws IOException, InterruptedException {
        try (FuseMount mount = rig.mount("m", false)) {
            Files.writeString(mount.directory().resolve("f"), "text");
            try (Stream<Path> all = Files.walk(home.resolve("m.state"))) {
                for (Path each : (Iterable<Path>) all::iterator) {
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                            .as(each.toString())
                            .endsWith("------");
                }
            }
        }
    }
}
