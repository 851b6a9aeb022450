// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerOptions;
import io.packing.store.ObjectStores;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM ends the daemons although their store is gone, and a drain ends a worker. */
@Timeout(180)
@Tag("process")
class TerminationTest {
    private static final String KEY = "access";
    private static final String SECRET = "secret";

    @TempDir
    private Path directory;

    private @Nullable S3Server running;
    private final List<Process> daemons = new ArrayList<>();

    @BeforeEach
    void startStore() throws IOException {
        running = S3Server.start(S3ServerOptions.of(Files.createDirectories(directory.resolve("s3")), "bucket"));
    }

    @AfterEach
    void stop() throws IOException {
        daemons.forEach(Process::destroyForcibly);
        s3().close();
    }

    private S3Server s3() {
        return Objects.requireNonNull(running);
    }

    /** Starts a daemon and returns what it prints when it serves. */
    private String start(String name, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "-Dpacking.log=" + directory.resolve(name + ".log"),
                "io.packing.cli.Main"));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(directory.resolve(name + ".err").toFile());
        builder.environment().putAll(Map.of("PACKING_S3_ACCESS_KEY", KEY, "PACKING_S3_SECRET_KEY", SECRET));
        Process process = builder.start();
        daemons.add(process);
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        assertThat(line).as(() -> name + ": " + error(name)).contains(" at ");
        return line.substring(line.lastIndexOf(' ') + 1);
    }

    private String startMaster() throws IOException {
        return start(
                "master",
                "bdt-master",
                "--data-dir",
                directory.resolve("bdt").toString(),
                "--bind",
                "127.0.0.1:0",
                "--store",
                "s3://bucket@" + s3().endpoint(),
                "--option",
                "bdt.stop.timeout=2s");
    }

    private Map<String, String> options() {
        return Map.of(
                "packing.store",
                "s3://bucket/p",
                "packing.s3.endpoint",
                s3().endpoint().toString(),
                "packing.s3.access.key",
                KEY,
                "packing.s3.secret.key",
                SECRET,
                "packing.s3.retry.timeout",
                "1h");
    }

    private String error(String name) {
        try {
            return Files.readString(directory.resolve(name + ".err"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private void terminate(int daemon) throws InterruptedException {
        daemons.get(daemon).destroy();
        assertThat(daemons.get(daemon).waitFor()).as("143 is SIGTERM").isEqualTo(143);
    }

    @Test
    void aMasterWhoseStoreIsGoneEndsAndSaysWhatTheStoreLacks() throws Exception {
        String address = startMaster();
        try (GrpcBdts client = GrpcBdts.connect(address, Duration.ofSeconds(60))) {
            assertThat(client.open(options()).mkdir(new FilePath("/d"), new DirectoryAttributes("u", "g", 0755), false))
                    .isEqualTo(Outcome.DONE);
        }
        s3().close();
        terminate(0);
        assertThat(error("master"))
                .contains("stops without a last backup")
                .containsPattern("the store lacks [1-9][0-9]* changes since position 0")
                .contains(directory.resolve("bdt").toString());
    }

    private void startWorker(String address, String sealAfter) throws IOException {
        start(
                "worker",
                "worker",
                "--master",
                address,
                "--id",
                "w",
                "--port",
                "0",
                "--buffer-dir",
                directory.resolve("buffer").toString(),
                "--option",
                "packing.store=s3://bucket/p",
                "--option",
                "packing.s3.endpoint=" + s3().endpoint(),
                "--option",
                "packing.s3.retry.timeout=1h",
                "--option",
                "packing.seal.after=" + sealAfter);
    }

    @Test
    void aWorkerThatIsDrainedPushesWhatItHasAndEndsWithZero() throws Exception {
        String address = startMaster();
        startWorker(address, "1h");
        try (GrpcBdts client = GrpcBdts.connect(address, Duration.ofSeconds(60))) {
            MountOptions mount = MountOptions.from(options());
            try (RemotePackingFileSystem files = RemotePackingFileSystem.open(
                    client, mount, ObjectStores.open(mount.store()), Writers.preferHost("127.0.0.1"))) {
                try (PackingOutput out =
                        files.create(new FilePath("/f"), new CreateOptions("u", "g", 0644, true, false))) {
                    out.write(new byte[1_000]);
                }
                CommandRun run = CommandRun.of("drain", "w", "--master", address);
                assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCodes.OK);
                assertThat(daemons.get(1).waitFor()).as(error("worker")).isZero();
                assertThat(error("worker")).contains("worker w was told to leave, and has left");
                assertThat(files.bdt().statistics().bufferedFiles()).isZero();
            }
        }
    }

    @Test
    void aWorkerWhoseStoreIsGoneEndsAndKeepsWhatItBuffers() throws Exception {
        String address = startMaster();
        startWorker(address, "10ms");
        try (GrpcBdts client = GrpcBdts.connect(address, Duration.ofSeconds(60))) {
            MountOptions mount = MountOptions.from(options());
            try (RemotePackingFileSystem files = RemotePackingFileSystem.open(
                    client, mount, ObjectStores.open(mount.store()), Writers.preferHost("127.0.0.1"))) {
                s3().close();
                for (int i = 0; i < 20; i++) {
                    try (PackingOutput out =
                            files.create(new FilePath("/f" + i), new CreateOptions("u", "g", 0644, true, false))) {
                        out.write(new byte[1_000]);
                    }
                }
                assertThat(files.bdt().statistics().bufferedFiles()).isEqualTo(20);
            }
        }
        terminate(1);
        assertThat(error("worker")).doesNotContain("did not stop cleanly");
    }
}
