// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.process.Await;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are stopped, and go on whatever becomes of who stopped them. */
@Timeout(120)
@Tag("process")
class StoppedProcessesTest {
    private final Process sleeper;

    @TempDir
    private Path home;

    StoppedProcessesTest() throws IOException {
        sleeper = new ProcessBuilder("sleep", "1000").start();
    }

    @AfterEach
    void end() {
        sleeper.destroyForcibly();
    }

    /** Stops the process with the id that is its argument, says so, and waits. */
    public static final class Stopper {
        public static void main(String[] args) throws Exception {
            Stream<ProcessHandle> process = ProcessHandle.of(Long.parseLong(args[0])).stream();
            try (StoppedProcesses all = StoppedProcesses.stop(process)) {
                System.out.println("stopped 1");
                new CountDownLatch(1).await();
                all.close();
            }
        }
    }

    private boolean isStopped() throws IOException {
        return Files.readString(Path.of("/proc/%d/stat".formatted(sleeper.pid())))
                .contains(") T ");
    }

    @Test
    void theyAreStoppedUntilTheEndAndEndsMayBeRepeated() throws Exception {
        Process gone = new ProcessBuilder("true").start();
        assertThat(gone.waitFor()).isZero();
        try (StoppedProcesses all = StoppedProcesses.stop(Stream.of(gone.toHandle(), sleeper.toHandle()))) {
            Await.until("it is stopped", this::isStopped);
            all.close();
            Await.until("it goes on", () -> !isStopped());
        }
        assertThat(isStopped()).isFalse();
    }

    @Test
    void theyGoOnWhenWhoStoppedThemIsKilled() throws Exception {
        JavaCommand command = new JavaCommand(
                "stopper",
                Stopper.class.getName(),
                List.of(System.getProperty("java.class.path").split(System.getProperty("path.separator"), -1)),
                32,
                Map.of(),
                List.of(Long.toString(sleeper.pid())));
        try (JavaProcess stopper = JavaProcess.start(command, home)) {
            String unused = stopper.awaitLine("stopped ", Duration.ofMinutes(1));
            assertThat(isStopped()).isTrue();
            stopper.kill();
            Await.until("it goes on", () -> !isStopped());
        }
    }
}
