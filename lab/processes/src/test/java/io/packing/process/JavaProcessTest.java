// SPDX-License-Identifier: Apache-2.0
package io.packing.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class JavaProcessTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    Path logs;

    /** A program that prints its first argument. It ends with the status of the second, or waits without a second. */
    public static final class Child {
        public static void main(String[] args) throws InterruptedException {
            System.out.println(args[0]);
            if (args.length > 1) {
                System.exit(Integer.parseInt(args[1]));
            }
            new CountDownLatch(1).await();
        }
    }

    private static JavaCommand command(String... words) {
        List<String> classPath = List.of(ClassPaths.of(Child.class).toString());
        return new JavaCommand("child", Child.class.getName(), classPath, 16, Map.of(), List.of(words));
    }

    private JavaProcess start(String... words) throws Exception {
        return JavaProcess.start(command(words), logs);
    }

    @Test
    void aPreparedServerStartsWhenItIsTold() throws Exception {
        try (JavaProcess server = JavaProcess.prepare(command("port 17"), logs)) {
            assertThatThrownBy(() -> server.await("is no Java yet", Duration.ZERO, () -> false))
                    .isInstanceOf(ProcessFailedException.class);
            assertThat(server.isAlive()).isTrue();
            server.begin();
            assertThat(server.awaitLine("port ", LONG)).isEqualTo("17");
        }
    }

    @Test
    void aPreparedServerThatIsNotToldEnds() throws Exception {
        JavaProcess server = JavaProcess.prepare(command("port 17"), logs);
        server.close();
        assertThat(server.isAlive()).isFalse();
    }

    @Test
    void aServerIsReadyWhenItsConditionHolds() throws Exception {
        try (JavaProcess server = start("port 17")) {
            assertThat(server.awaitLine("port ", LONG)).isEqualTo("17");
            AtomicInteger asked = new AtomicInteger();
            server.await("counts too slowly", LONG, () -> asked.incrementAndGet() == 3);
            assertThat(asked).hasValue(3);
        }
    }

    @Test
    void aServerThatIsStartedAgainIsReadyWhenItSaysSoAgain() throws Exception {
        try (JavaProcess server = start("port 17")) {
            assertThat(server.awaitLine("port ", LONG)).isEqualTo("17");
        }
        try (JavaProcess server = start("not yet")) {
            assertThat(server.awaitLine("not ", LONG)).isEqualTo("yet");
            assertThatThrownBy(() -> server.awaitLine("port ", Duration.ZERO))
                    .isInstanceOf(ProcessFailedException.class)
                    .hasMessageContaining("is not ready");
        }
    }

    @Test
    void aServerThatIsNotReadyInTimeIsNamedWithWhatItLacks() throws Exception {
        try (JavaProcess server = start("port 17")) {
            assertThatThrownBy(() -> server.await("has no workers", Duration.ZERO, () -> false))
                    .isInstanceOf(ProcessFailedException.class)
                    .hasMessageContaining("child has no workers");
        }
    }

    @Test
    void aServerThatEndsBeforeItIsReadyFailsWithTheEndOfItsLog() throws Exception {
        try (JavaProcess server = start("out of luck", "3")) {
            assertThatThrownBy(() -> server.awaitLine("port ", LONG))
                    .isInstanceOf(ProcessFailedException.class)
                    .hasMessageContaining("status 3")
                    .hasMessageContaining("out of luck");
        }
    }

    @Test
    void aProcessThatEndsWellHasEnded() throws Exception {
        try (JavaProcess process = start("fine", "0")) {
            process.awaitEnd(LONG);
            assertThat(process.isAlive()).isFalse();
        }
    }

    @Test
    void aProcessThatEndsBadlyOrNotAtAllIsAFailure() throws Exception {
        try (JavaProcess process = start("bad", "4")) {
            assertThatThrownBy(() -> process.awaitEnd(LONG)).hasMessageContaining("status 4");
        }
        try (JavaProcess process = start("for ever")) {
            assertThatThrownBy(() -> process.awaitEnd(Duration.ofMillis(1))).hasMessageContaining("does not end");
        }
    }
}
