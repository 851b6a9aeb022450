// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.fuse.mount.FuseMount;
import io.packing.seed.Seed;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs of other projects on a mount: fsx, pjdfstest, git, a C compiler and make. {@code -Dpacking.fuse.tools=DIR}
 * names the folder of the first two, if they are not on the path; {@code cargo install --root DIR fsx@0.3.2
 * pjdfstest@0.2.2} puts them into {@code DIR/bin}.
 */
@Timeout(1_800)
@Tag("process")
class PosixSuitesIT {
    private static final String TOOLS = "packing.fuse.tools";
    private static final String OPERATIONS = "packing.fuse.fsx.operations";
    private static final Pattern RESULT = Pattern.compile("(?m)^(\\S+::\\S+)\\s+FAILED\\s*$");
    private static final int C_FILES = 20;
    /** The times of kills, in seconds. */
    private static final long FIRST_KILL = 1;

    private static final long NEXT_KILL = 20;

    /** The tests of pjdfstest for features that this door does not have. */
    private static final List<Pattern> EXCEPTIONS = List.of(
            // A directory's link count is 1: it does not count its directories, as on btrfs.
            Pattern.compile("rename::updates_link_parent"));

    @TempDir
    private Path home;

    private MountRig rig;
    private FuseMount mount;

    @BeforeEach
    void mount() throws IOException, InterruptedException {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        rig = MountRig.start(home);
        mount = rig.mount("m", false);
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        if (rig != null) {
            try (MountRig closing = rig) {
                mount.close();
            }
        }
    }

    private static String tool(String name) {
        String directories = System.getProperty(TOOLS, "") + "/bin" + File.pathSeparator + System.getenv("PATH");
        Optional<Path> found = Arrays.stream(directories.split(File.pathSeparator))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(
                found.isPresent(),
                name + " is not there: apt-get install git gcc make, cargo install --root DIR fsx@0.3.2"
                        + " pjdfstest@0.2.2, and -Dpacking.fuse.tools=DIR");
        return found.orElseThrow().toString();
    }

    private record Ran(int code, String output) {}

    private Ran run(Path directory, String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(home, "output", "");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int code = process.waitFor();
        return new Ran(code, new String(Files.readAllBytes(output), StandardCharsets.ISO_8859_1));
    }

    private void mustRun(Path directory, String... command) throws IOException, InterruptedException {
        Ran ran = run(directory, command);
        assertThat(ran.code()).as("%s: %s", List.of(command), ran.output()).isZero();
    }

    private String[] fsx() {
        return new String[] {
            tool("fsx"),
            "-q",
            "-S",
            Long.toString(Seed.value()),
            "-N",
            System.getProperty(OPERATIONS, "2000"),
            "-P",
            home.toString(),
            "file"
        };
    }

    @Test
    void fsxFindsNothing() throws IOException, InterruptedException {
        mustRun(mount.directory(), fsx());
    }

    /** The pauses take into account that the keeper of a mount gives up after five deaths in a minute. */
    @Test
    void fsxFindsNothingWhileTheServerIsKilled() throws IOException, InterruptedException {
        Path output = home.resolve("fsx.txt");
        Process process = new ProcessBuilder(fsx())
                .directory(mount.directory().toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int kills = 0;
        for (long seconds = FIRST_KILL; !process.waitFor(seconds, TimeUnit.SECONDS); seconds = NEXT_KILL) {
            if (KilledServerTest.server(mount).destroyForcibly()) {
                kills++;
            }
        }
        String said = new String(Files.readAllBytes(output), StandardCharsets.ISO_8859_1);
        assertThat(process.exitValue()).as("after %d kills: %s", kills, said).isZero();
        System.out.printf("the server was killed %d times while fsx ran%n", kills);
    }

    @Test
    void pjdfstestPassesButForNamedExceptions() throws IOException, InterruptedException {
        Path configuration = Files.writeString(home.resolve("pjdfstest.toml"), """
                [features]
                posix_fallocate = {}
                rename_ctime = {}
                utimensat = {}
                utime_now = {}
                [settings]
                naptime = 0.01
                allow_remount = false
                [dummy_auth]
                entries = [ ["nobody", "nogroup"], ["daemon", "daemon"] ]
                """);
        Path directory = Files.createDirectory(mount.directory().resolve("pjd"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        Ran ran = run(home, tool("pjdfstest"), "-c", configuration.toString(), "-p", directory.toString());
        TreeSet<String> failed = new TreeSet<>();
        Matcher matcher = RESULT.matcher(ran.output());
        while (matcher.find()) {
            failed.add(matcher.group(1));
        }
        assertThat(ran.output().split("\n"))
                .filteredOn(line -> line.matches("\\S+::\\S+\\s+ok\\s*"))
                .hasSizeGreaterThan(300);
        assertThat(failed)
                .as("what failed, of %d lines", ran.output().lines().count())
                .allMatch(name -> EXCEPTIONS.stream()
                        .anyMatch(exception -> exception.matcher(name).matches()));
    }

    /** A program of many files with its tests is cloned, built, changed, committed and pushed on the mount. */
    @Test
    void aProjectIsClonedBuiltAndTested() throws IOException, InterruptedException {
        String git = tool("git");
        tool("gcc");
        String make = tool("make");
        Path origin = cProject(git);
        Path clone = mount.directory().resolve("clone");
        mustRun(mount.directory(), git, "clone", "-q", origin.toString(), "clone");
        mustRun(clone, make, "-s", "-j2", "check");
        mustRun(clone, git, "status");
        assertThat(run(clone, git, "status", "--porcelain").output()).isEmpty();
        assertThat(Files.isSymbolicLink(clone.resolve("link.h"))).isTrue();
        Files.writeString(clone.resolve("README"), "changed\n");
        mustRun(clone, git, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qam", "Change it");
        mustRun(clone, git, "push", "-q", "origin", "HEAD:refs/heads/changed");
        mustRun(clone, git, "fsck", "--strict");
        mustRun(clone, git, "gc", "-q");
        mustRun(clone, make, "-s", "clean");
        mustRun(clone, make, "-s", "check");
    }

    private Path cProject(String git) throws IOException, InterruptedException {
        Path project = Files.createDirectory(home.resolve("project"));
        StringBuilder header = new StringBuilder();
        StringBuilder main = new StringBuilder("#include \"link.h\"\nint main(void) {\n  int sum = 0;\n");
        List<String> objects = new ArrayList<>();
        for (int i = 0; i < C_FILES; i++) {
            header.append("int f%d(int x);\n".formatted(i));
            main.append("  sum += f%d(%d);\n".formatted(i, i));
            objects.add("f%d.o".formatted(i));
            Files.writeString(
                    project.resolve("f%d.c".formatted(i)),
                    "#include \"all.h\"\nint f%d(int x) { return x * %d; }\n".formatted(i, i));
        }
        main.append("  return sum == %d ? 0 : 1;\n}\n".formatted(squares()));
        Files.writeString(project.resolve("all.h"), header);
        Files.createSymbolicLink(project.resolve("link.h"), Path.of("all.h"));
        Files.writeString(project.resolve("main.c"), main);
        Files.writeString(project.resolve("README"), "A project\n");
        Files.writeString(project.resolve(".gitignore"), "*.o\n*.a\nmain\n");
        Files.writeString(
                project.resolve("Makefile"),
                "main: main.o all.a\n\tgcc -o $@ $^\nall.a: %s\n\tar rcs $@ $^\ncheck: main\n\t./main\nclean:\n\trm -f *.o *.a main\n%%.o: %%.c all.h\n\tgcc -O -c -o $@ $<\n"
                        .formatted(String.join(" ", objects)));
        mustRun(project, git, "init", "-q");
        mustRun(project, git, "add", ".");
        mustRun(project, git, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "A project");
        return project;
    }

    private static int squares() {
        int sum = 0;
        for (int i = 0; i < C_FILES; i++) {
            sum += i * i;
        }
        return sum;
    }
}
