// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of exit code 3: it is for every server that does not answer any command. */
@Timeout(120)
final class UnansweredTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    /** The secret must not be on a command line: AWS's default chain finds it here. */
    @BeforeEach
    void giveCredentials() {
        System.setProperty("aws.accessKeyId", "access");
        System.setProperty("aws.secretAccessKey", "secret");
    }

    @AfterEach
    void takeCredentials() {
        System.clearProperty("aws.accessKeyId");
        System.clearProperty("aws.secretAccessKey");
    }

    private int run(List<String> words) {
        return Main.commandFor(words.toArray(String[]::new))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words.toArray(String[]::new));
    }

    private static List<String> with(List<String> words, String... more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of(more));
        return all;
    }

    /** Returns a port at which no server listens. */
    private static int nobodysPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void aStoreThatDoesNotAnswerIsExitCodeThreeInEveryCommandThatNeedsIt() throws IOException {
        String nobody = "http://127.0.0.1:" + nobodysPort();
        List<String> store = List.of(
                "--option",
                "packing.store=s3://bucket/prefix",
                "--option",
                "packing.s3.endpoint=" + nobody,
                "--option",
                "packing.s3.retry.timeout=1s");
        try (BdtMaster master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        directory.resolve("bdt").toString(),
                        "bdt.port",
                        "0",
                        "bdt.stores",
                        "s3://bucket/prefix@" + nobody)))
                .serve()) {
            String address = "127.0.0.1:" + master.port();
            for (List<String> words : List.of(
                    List.of("bdt", "ls", "--master", address),
                    List.of("flush", "--master", address),
                    List.of(
                            "worker",
                            "--master",
                            address,
                            "--id",
                            "w",
                            "--port",
                            "0",
                            "--buffer-dir",
                            directory.resolve("w").toString()))) {
                assertThat(run(with(words, store.toArray(String[]::new))))
                        .as("%s: %s", words, err)
                        .isEqualTo(ExitCodes.UNAVAILABLE);
            }
        }
        assertThat(run(List.of(
                        "blob",
                        "ls",
                        "s3://bucket/prefix/blob",
                        "--option",
                        "packing.s3.endpoint=http://127.0.0.1:" + nobodysPort(),
                        "--option",
                        "packing.s3.retry.timeout=1s")))
                .isEqualTo(ExitCodes.UNAVAILABLE);
    }

    @Test
    void aWorkerGivesTheMasterAsLongAsItsMountSays() throws IOException {
        int code = run(List.of(
                "worker",
                "--master",
                "127.0.0.1:" + nobodysPort(),
                "--id",
                "w",
                "--port",
                "0",
                "--buffer-dir",
                directory.resolve("w").toString(),
                "--option",
                "packing.store=" + directory.toUri(),
                "--option",
                "packing.master.timeout=2s"));
        assertThat(code).isEqualTo(ExitCodes.UNAVAILABLE);
        assertThat(err.toString()).contains("did not answer for 2 s");
    }
}
