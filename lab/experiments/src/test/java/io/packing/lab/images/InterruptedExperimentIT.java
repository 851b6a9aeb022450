// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.cli.launch.Narrator;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.storeservers.NetworkLink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A build in containers that is interrupted: nothing of it stays on the machine. */
@Timeout(900)
@Tag("experiment")
class InterruptedExperimentIT {
    private static final Duration START = Duration.ofMinutes(5);
    private static final Duration END = Duration.ofMinutes(2);

    @TempDir
    private Path home;

    /** Builds the tree in its first argument, whose build does not end by itself. */
    public static final class Build {
        public static void main(String[] args) throws Exception {
            MultiMake.Result unused = new MultiMake(
                            Path.of(args[0]),
                            List.of("tcc"),
                            Optional.of("echo begun > /source/begun; sleep 1000"),
                            Optional.empty(),
                            false,
                            false,
                            true,
                            Map.of(),
                            NetworkLink.NONE,
                            new Narrator(true))
                    .make();
        }
    }

    @Test
    void anInterruptedBuildLeavesNoMountAndNoProcess() throws Exception {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        for (String program : List.of("docker-registry", "apt-get", "dpkg-deb", "unshare")) {
            assumeTrue(isThere(program), "it needs %s: apt-get install docker-registry util-linux".formatted(program));
        }
        Path source = Files.createDirectories(home.resolve("source"));
        Files.writeString(source.resolve("main.c"), "int main(void) { return 0; }\n");
        Path temporary = Files.createDirectories(home.resolve("temporary"));
        JavaCommand command = new JavaCommand(
                        "build",
                        Build.class.getName(),
                        List.of(System.getProperty("java.class.path").split(System.getProperty("path.separator"), -1)),
                        512,
                        Map.of(),
                        List.of(source.toString()))
                .withJvmOptions(List.of("-Djava.io.tmpdir=" + temporary));
        try (JavaProcess build = JavaProcess.start(command, home)) {
            build.await("does not build", START, () -> mountsBelow(temporary) >= 3);
            List<ProcessHandle> started =
                    ProcessHandle.of(build.pid()).orElseThrow().descendants().toList();
            assertThat(started).isNotEmpty();
            int exit = new ProcessBuilder("kill", "-INT", Long.toString(build.pid()))
                    .start()
                    .waitFor();
            assertThat(exit).isZero();
            build.await("still runs", END, () -> !build.isAlive());
            assertThat(mountsBelow(temporary)).as("mounts that are left").isZero();
            assertThat(started).as("processes that are left").noneMatch(ProcessHandle::isAlive);
            try (Stream<Path> left = Files.list(temporary)) {
                assertThat(left.filter(each -> each.getFileName().toString().startsWith("packing-multimake")))
                        .isEmpty();
            }
        }
    }

    /** Returns the number of mounts: roots, builds, and the container's overlay. */
    private static long mountsBelow(Path directory) throws IOException {
        return KernelMountTable.entries().stream()
                .filter(each -> each.directory().startsWith(directory))
                .count();
    }

    private static boolean isThere(String program) {
        try {
            HostPrograms.check(program, "");
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
