// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that lines about hostile clients go to the daemon's log, which is bounded, and not to its unbounded output. */
@Timeout(120)
@Tag("process")
class HostileBytesLogTest {
    private static final Duration START = Duration.ofSeconds(60);
    private static final byte[] GARBAGE = "not HTTP/2\r\n\r\n".repeat(4).getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path directory;

    private JavaProcess master(String levels) throws IOException {
        Path file = Files.writeString(directory.resolve("levels.properties"), levels);
        return JavaProcess.start(
                new JavaCommand(
                        "master",
                        "io.packing.cli.Main",
                        List.of(System.getProperty("java.class.path").split(File.pathSeparator)),
                        256,
                        Map.of(),
                        List.of("bdt-master", "--data-dir=" + directory.resolve("data"), "--bind=127.0.0.1:0"),
                        Map.of(
                                DaemonLog.LEVELS,
                                file.toString(),
                                DaemonLog.DIRECTORY,
                                directory.resolve("logs").toString())),
                directory.resolve("printed"));
    }

    @Test
    void theyAreInTheLogAndNotInTheOutput() throws Exception {
        try (JavaProcess master = master("logback.root=INFO\nlogback.logger.io.grpc=INFO\n")) {
            String address = master.awaitLine("BDT master at ", START);
            int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
            try (Socket hostile = new Socket(InetAddress.getLoopbackAddress(), port)) {
                hostile.getOutputStream().write(GARBAGE);
                hostile.getOutputStream().flush();
                // The server hangs up.
                byte[] unused = hostile.getInputStream().readAllBytes();
            }
            Path log = directory.resolve("logs/bdt-master.log");
            master.await(
                    "logs nothing of it", START, () -> Files.readString(log).contains("Transport failed"));
            assertThat(Files.readString(master.log())).doesNotContain("Transport failed");
        }
    }
}
