// SPDX-License-Identifier: Apache-2.0
package io.packing.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.fuse.mount.MountAccessOptions;
import io.packing.fuse.mount.MountSpec;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mounts and processes in a workspace, whose experiment is interrupted or fails before it has handed them over. */
@Timeout(120)
@Tag("process")
class InterruptedWorkspaceTest {
    /** A server of a mount that serves nothing: each look at the mount waits until the server is gone. */
    private static final List<String> MUTE = List.of("sh", "-c", "echo serving; exec sleep 1000");

    @TempDir
    private Path logs;

    @BeforeEach
    void assumeThatItCanMount() {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
    }

    /** Starts mounts and processes as an experiment does, and hands none of them over; returns the processes. */
    private static List<Long> begin(Workspace workspace) throws IOException, InterruptedException {
        Path roots = Files.createDirectories(workspace.directory().resolve("roots"));
        FuseMount mount = FuseMount.start(
                new MountSpec(
                        roots,
                        workspace.directory().resolve("roots.state"),
                        "roots",
                        false,
                        MountAccessOptions.FILES,
                        false),
                MUTE,
                Map.of());
        Path disk = Files.createDirectories(workspace.directory().resolve("disk"));
        int exit = new ProcessBuilder("mount", "-t", "tmpfs", "none", disk.toString())
                .start()
                .waitFor();
        assertThat(exit).isZero();
        Process busy =
                new ProcessBuilder("sleep", "1000").directory(disk.toFile()).start();
        Process waiting = new ProcessBuilder("ls", roots.toString()).start();
        return List.of(mount.keeper(), busy.pid(), waiting.pid());
    }

    /** An experiment that waits for its interrupt. */
    public static final class Experiment {
        public static void main(String[] args) throws Exception {
            try (Workspace workspace = Workspace.create("packing-interrupted")) {
                System.out.println("directory " + workspace.directory());
                System.out.println("processes "
                        + begin(workspace).stream().map(Object::toString).collect(Collectors.joining(" ")));
                new CountDownLatch(1).await();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void anInterruptUnmountsAndEndsAllProcesses(String signal) throws Exception {
        JavaCommand command = new JavaCommand(
                "experiment",
                Experiment.class.getName(),
                List.of(System.getProperty("java.class.path").split(System.getProperty("path.separator"), -1)),
                64,
                Map.of(),
                List.of());
        try (JavaProcess experiment = JavaProcess.start(command, logs)) {
            Path directory = Path.of(experiment.awaitLine("directory ", Duration.ofMinutes(1)));
            List<Long> processes = Stream.of(experiment
                            .awaitLine("processes ", Duration.ofMinutes(1))
                            .split(" ", -1))
                    .map(Long::valueOf)
                    .toList();
            int exit = new ProcessBuilder("kill", "-" + signal, Long.toString(experiment.pid()))
                    .start()
                    .waitFor();
            assertThat(exit).isZero();
            experiment.await("still runs", Duration.ofMinutes(1), () -> !experiment.isAlive());
            assertNothingIsLeft(directory, processes);
        }
    }

    @Test
    void theEndOfAFailedExperimentUnmountsAndEndsAllProcesses() throws Exception {
        List<Long> processes;
        Path directory;
        try (Workspace workspace = Workspace.create("packing-interrupted")) {
            directory = workspace.directory();
            processes = begin(workspace);
        }
        assertNothingIsLeft(directory, processes);
    }

    private static void assertNothingIsLeft(Path directory, List<Long> processes) throws IOException {
        assertThat(KernelMountTable.entries())
                .noneMatch(entry -> entry.directory().startsWith(directory));
        assertThat(directory).doesNotExist();
        assertThat(processes)
                .hasSize(3)
                .allSatisfy(each -> assertThat(ProcessHandle.of(each)).isEmpty());
    }
}
