// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import io.packing.store.ObjectStores;
import io.packing.storeservers.ServerKind;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.ImageFromDockerfile;

/**
 * A test of a mount on SeaweedFS in a container that its engine kills. The test makes the image from the one program,
 * so that it needs no hub.
 */
@Timeout(600)
@Tag("cluster")
class ContainerStoreIT {
    private static final CreateOptions NEW = new CreateOptions("o", "g", 0644, true, false);
    private static final int FILES = 100;
    private static final int S3 = 8333;
    private static final int FILER = 8888;

    private static @Nullable GenericContainer<?> store;

    @TempDir
    private Path home;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        assumeTrue(
                DockerClientFactory.instance().isDockerAvailable(),
                "no container engine answers: start one and name its socket in DOCKER_HOST; bin/test-engine starts one");
        Path weed = ServerKind.SEAWEEDFS.find().orElse(Path.of(""));
        assumeTrue(ServerKind.SEAWEEDFS.find().isPresent(), ServerKind.SEAWEEDFS.howToInstall());
        String keys = """
                {"identities": [{"name": "test", "actions": ["Admin", "Read", "Write", "List"],
                  "credentials": [{"accessKey": "%s", "secretKey": "%s"}]}]}
                """.formatted(ServerKind.ACCESS_KEY, ServerKind.SECRET_KEY);
        ImageFromDockerfile image = new ImageFromDockerfile()
                .withFileFromPath("weed", weed.toRealPath())
                .withFileFromString("data/keys.json", keys)
                .withFileFromString("tmp/none", "")
                .withDockerfileFromBuilder(file -> file.from("scratch")
                        .copy("weed", "/weed")
                        .copy("data", "/data/")
                        .copy("tmp", "/tmp/")
                        // The command has two words, so the engine starts no shell; the image has none.
                        .entryPoint("/weed", "server")
                        .build());
        GenericContainer<?> started = new GenericContainer<>(image)
                .withCommand(
                        "-ip=127.0.0.1",
                        "-ip.bind=0.0.0.0",
                        "-dir=/data",
                        "-filer",
                        "-s3",
                        "-s3.config=/data/keys.json",
                        "-s3.port.iceberg=0",
                        "-volume.max=100",
                        "-master.volumeSizeLimitMB=64",
                        "-master.telemetry=false")
                .withExposedPorts(S3, FILER)
                .waitingFor(Wait.forHttp("/").forPort(S3).forStatusCodeMatching(status -> status < 500));
        store = started;
        started.start();
        HttpRequest folder = HttpRequest.newBuilder(uri(FILER, "/buckets/" + ServerKind.BUCKET + "/"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(folder, HttpResponse.BodyHandlers.discarding())
                        .statusCode())
                .isLessThan(300);
    }

    @AfterAll
    static void stop() {
        if (store != null) {
            store.stop();
        }
    }

    private static GenericContainer<?> store() {
        return Objects.requireNonNull(store);
    }

    private static URI uri(int port, String path) {
        return URI.create("http://%s:%d%s".formatted(store().getHost(), store().getMappedPort(port), path));
    }

    private static byte[] bytes(int number) {
        byte[] bytes = new byte[1 + number * 37];
        new Random(Seed.value() + number).nextBytes(bytes);
        return bytes;
    }

    private static FilePath path(int number) {
        return new FilePath("/d/f" + number);
    }

    private static byte[] read(PackingFileSystem mount, FilePath path) throws IOException {
        try (PackingInput in = mount.open(path)) {
            ByteBuffer all = ByteBuffer.allocate((int) in.attributes().length());
            while (all.hasRemaining()) {
                assertThat(in.read(all.position(), all)).isPositive();
            }
            return all.array();
        }
    }

    @Test
    void filesAreTakenWhileTheStoreStandsStillAndPushedWhenItGoesOn() throws Exception {
        String location = "s3://%s/mount".formatted(ServerKind.BUCKET);
        Map<String, String> options = Map.of(
                "packing.store",
                location,
                "packing.s3.endpoint",
                uri(S3, "").toString(),
                "packing.s3.access.key",
                ServerKind.ACCESS_KEY,
                "packing.s3.secret.key",
                ServerKind.SECRET_KEY,
                "packing.seal.after",
                "1h",
                "packing.seal.quiet",
                "0s");
        try (BdtMaster master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                                "bdt.data.dir",
                                home.resolve("bdt").toString(),
                                "bdt.port",
                                "0",
                                "bdt.stores",
                                location + "@" + uri(S3, ""))))
                        .serve();
                PackingWorker worker = PackingWorker.start(
                        new WorkerOptions("w1", home.resolve("buffer"), "127.0.0.1", 0),
                        master,
                        ObjectStores::open,
                        Clock.systemUTC(),
                        new SimpleMeterRegistry());
                PackingFileSystem mount = worker.open(MountOptions.from(options))) {
            String id = store().getContainerId();
            store().getDockerClient().pauseContainerCmd(id).exec();
            CompletableFuture<Void> flush;
            try {
                for (int i = 0; i < FILES; i++) {
                    try (PackingOutput out = mount.create(path(i), NEW)) {
                        out.write(bytes(i));
                    }
                }
                assertThat(mount.bdt().statistics().bufferedFiles()).isEqualTo(FILES);
                flush = CompletableFuture.runAsync(() -> flush(mount));
                assertThat(read(mount, path(7))).isEqualTo(bytes(7));
            } finally {
                store().getDockerClient().unpauseContainerCmd(id).exec();
            }
            flush.join();
            assertThat(mount.bdt().statistics().bufferedFiles()).isZero();
            for (int i = 0; i < FILES; i++) {
                assertThat(read(mount, path(i))).as("file %d", i).isEqualTo(bytes(i));
            }
        }
    }

    private static void flush(PackingFileSystem mount) {
        try {
            mount.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
