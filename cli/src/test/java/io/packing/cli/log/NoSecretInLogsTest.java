// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerOptions;
import io.packing.store.ObjectStores;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that daemons log no secret at their finest level, whether the store answers or not. */
@Timeout(180)
@Tag("process")
class NoSecretInLogsTest {
    private static final Duration START = Duration.ofSeconds(60);
    private static final String KEY = "AKIANOBODYLOGSME";
    private static final String SECRET = "never/logged+iAmTheSecretOfTheStore";
    private static final String PASSWORD = "pass-word-of-alice";
    private static final String BASIC = Base64.getEncoder().encodeToString(("alice:" + PASSWORD).getBytes(UTF_8));

    @TempDir
    private Path directory;

    private final List<JavaProcess> daemons = new ArrayList<>();

    @AfterEach
    void stop() {
        daemons.forEach(JavaProcess::close);
    }

    private JavaProcess start(String name, String... words) throws IOException {
        Path levels = Files.writeString(directory.resolve("levels.properties"), "logback.root=TRACE\n");
        JavaProcess daemon = JavaProcess.start(
                new JavaCommand(
                        name,
                        "io.packing.cli.Main",
                        List.of(System.getProperty("java.class.path").split(File.pathSeparator)),
                        256,
                        Map.of(),
                        List.of(words),
                        Map.of(
                                "PACKING_S3_ACCESS_KEY",
                                KEY,
                                "PACKING_S3_SECRET_KEY",
                                SECRET,
                                DaemonLog.LEVELS,
                                levels.toString(),
                                DaemonLog.FORMAT,
                                name.equals("worker") ? "json" : "text",
                                DaemonLog.DIRECTORY,
                                directory.resolve("logs").toString())),
                directory.resolve("printed"));
        daemons.add(daemon);
        return daemon;
    }

    private static MountOptions options(URI endpoint) {
        return MountOptions.from(Map.of(
                "packing.store",
                "s3://bucket/p",
                "packing.s3.endpoint",
                endpoint.toString(),
                "packing.s3.access.key",
                KEY,
                "packing.s3.secret.key",
                SECRET));
    }

    @Test
    void noSecretIsInALog() throws Exception {
        Path objects = Files.createDirectories(directory.resolve("s3"));
        S3ServerOptions config = new S3ServerOptions(0, objects, KEY, SECRET, List.of("bucket"), 0, Duration.ZERO);
        URI endpoint;
        try (S3Server store = S3Server.start(config)) {
            endpoint = store.endpoint();
            String master = startMaster(endpoint);
            startWorker(master, endpoint);
            write(master, endpoint);
            request(startRegistry(master, endpoint));
        }
        // Now the store does not answer: what fails is logged with its stack.
        JavaProcess worker = daemons.get(1);
        worker.await("logs no failure", START, () -> log("worker.log").contains("\"throwable\""));
        daemons.forEach(JavaProcess::close);

        assertThat(log("bdt-master.log")).contains(" DEBUG ");
        assertThat(log("registry.log")).contains(" INFO ");
        assertThat(log("worker.log")).contains("\"level\":\"DEBUG\"");
        try (Stream<Path> logs = Files.list(directory.resolve("logs"));
                Stream<Path> printed = Files.list(directory.resolve("printed"))) {
            for (Path file : Stream.concat(logs, printed).toList()) {
                String all = Files.readString(file);
                for (String secret : List.of(SECRET, PASSWORD, BASIC, "AWS4-HMAC-SHA256", "Signature=")) {
                    assertThat(all.contains(secret))
                            .as("%s has %s", file.getFileName(), secret)
                            .isFalse();
                }
            }
        }
    }

    private String log(String name) throws IOException {
        return Files.readString(directory.resolve("logs").resolve(name));
    }

    private String startMaster(URI endpoint) throws Exception {
        return start(
                        "master",
                        "bdt-master",
                        "--data-dir=" + directory.resolve("bdt"),
                        "--bind=127.0.0.1:0",
                        "--store=s3://bucket@" + endpoint,
                        "--option=bdt.stop.timeout=1s")
                .awaitLine("BDT master at ", START);
    }

    private void startWorker(String master, URI endpoint) throws Exception {
        String unused = start(
                        "worker",
                        "worker",
                        "--master=" + master,
                        "--id=w",
                        "--port=0",
                        "--buffer-dir=" + directory.resolve("buffer"),
                        "--option=packing.store=s3://bucket/p",
                        "--option=packing.s3.endpoint=" + endpoint,
                        "--option=packing.s3.retry.timeout=1s",
                        "--option=packing.seal.after=10ms")
                .awaitLine("worker w of ", START);
    }

    private URI startRegistry(String master, URI endpoint) throws Exception {
        Path users = Files.writeString(
                directory.resolve("users"),
                "alice:" + BCrypt.with(BCrypt.Version.VERSION_2Y).hashToString(4, PASSWORD.toCharArray()) + "\n");
        String line = start(
                        "registry",
                        "registry",
                        "--bind=127.0.0.1:0",
                        "--store=packing://" + master + "/registry",
                        "--users=" + users,
                        "--option=packing.store=s3://bucket/p",
                        "--option=packing.s3.endpoint=" + endpoint)
                .awaitLine("registry of ", START);
        return URI.create(line.substring(line.lastIndexOf(' ') + 1));
    }

    private static void write(String master, URI endpoint) throws IOException {
        MountOptions mount = options(endpoint);
        try (GrpcBdts client = GrpcBdts.connect(master, START);
                RemotePackingFileSystem files = RemotePackingFileSystem.open(
                        client, mount, ObjectStores.open(mount.store()), Writers.preferHost("127.0.0.1"))) {
            for (int i = 0; i < 3; i++) {
                try (PackingOutput out =
                        files.create(new FilePath("/f" + i), new CreateOptions("u", "g", 0644, true, false))) {
                    out.write(new byte[1_000]);
                }
                if (i < 2) {
                    files.flush();
                }
            }
        }
    }

    private static void request(URI registry) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(registry.resolve("/v2/"))
                .header("Authorization", "Basic " + BASIC)
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
    }
}
