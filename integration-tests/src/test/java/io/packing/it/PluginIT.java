// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.FileStatus;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.cluster.AlluxioCluster;
import io.packing.cluster.ClusterOptions;
import io.packing.cluster.load.ClusterLoadResult;
import io.packing.cluster.load.ClusterLoadSpec;
import io.packing.store.ObjectStores;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of a real Alluxio with both jars on its main class path: it needs no other daemon, and its mounts open by
 * themselves.
 */
@Tag("cluster")
class PluginIT {
    private static final int TRIES = 120;

    @TempDir
    static Path home;

    private static @Nullable AlluxioCluster running;
    private static Map<String, String> options = Map.of();

    @BeforeAll
    static void start() throws Exception {
        running = AlluxioCluster.start(
                ClusterOptions.of(Path.of("../lab/alluxio-runtime/target/alluxio-lib"), home.resolve("alluxio"))
                        .withServerClassPath(List.of(
                                jar("../doors/packing-plugin/target", "packing-plugin-", ".jar"),
                                jar("../packing-ufs/target", "packing-ufs-", "-extension.jar")))
                        .withProperties(
                                Map.of(
                                        "bdt.data.dir",
                                        home.resolve("bdt").toString(),
                                        "bdt.stores",
                                        "file://" + home.toAbsolutePath()),
                                Map.of()));
        options = Map.of(
                "packing.store",
                Files.createDirectories(home.resolve("store")).toUri().toString(),
                "packing.seal.quiet",
                "0s",
                "packing.seal.after",
                "1h");
        cluster().mount("/small", "packing://" + master() + "/small", options);
    }

    @AfterAll
    static void stop() {
        if (running != null) {
            running.close();
        }
    }

    private static Path jar(String folder, String start, String end) throws IOException {
        try (Stream<Path> files = Files.list(Path.of(folder))) {
            return files.filter(file -> file.getFileName().toString().startsWith(start))
                    .filter(file -> file.getFileName().toString().endsWith(end))
                    .filter(file -> !file.getFileName().toString().matches(".*-(sources|tests|javadoc)\\.jar"))
                    .findFirst()
                    .orElseThrow()
                    .toAbsolutePath();
        }
    }

    private static AlluxioCluster cluster() {
        return Objects.requireNonNull(running);
    }

    /** Returns the address of the BDT master, which is on the host of Alluxio's. */
    private static String master() {
        return cluster().host() + ":" + cluster().masterPort();
    }

    private static void load(ClusterLoadSpec spec) throws Exception {
        ClusterLoadResult result = cluster().load(spec, done -> {});
        assertThat(result.firstError()).isEmpty();
        assertThat(result.mismatches()).isZero();
        assertThat(result.files()).isEqualTo(spec.files());
    }

    @Test
    void alluxiosMasterServesTheTableAlsoAfterARestart() throws Exception {
        ClusterLoadSpec write = ClusterLoadSpec.write("/small/files", 200, 8192, 8, "THROUGH");
        load(write);
        cluster().restartMaster();
        load(write.readBack());
        load(ClusterLoadSpec.write("/small/more", 20, 8192, 4, "THROUGH"));
        try (GrpcBdts bdts = GrpcBdts.connect(master(), Duration.ofSeconds(30));
                RemotePackingFileSystem client = client(bdts)) {
            client.flush();
            assertThat(client.bdt()
                            .stat(new FilePath("/small/files/00000007"))
                            .orElseThrow()
                            .state())
                    .isEqualTo(FileStatus.State.PACKED);
        }
        load(write.readBack());
    }

    @Test
    void restartedWorkersPushWhatTheyBufferedBeforeAnybodyTouchesTheMount() throws Exception {
        load(ClusterLoadSpec.write("/small/buffered", 50, 8192, 4, "THROUGH"));
        cluster().crashWorker(0);
        cluster().crashWorker(1);
        try (GrpcBdts bdts = GrpcBdts.connect(master(), Duration.ofSeconds(30));
                RemotePackingFileSystem client = client(bdts)) {
            for (int i = 0; i < TRIES && client.bdt().statistics().bufferedFiles() > 0; i++) {
                client.bdt().sealNow();
                // The test cannot see the start of a worker, which gets the order with a heartbeat.
                assertThat(new CountDownLatch(1).await(500, TimeUnit.MILLISECONDS))
                        .isFalse();
            }
            assertThat(client.bdt().statistics().bufferedFiles()).isZero();
        }
    }

    private static RemotePackingFileSystem client(GrpcBdts bdts) throws IOException {
        MountOptions parsed = MountOptions.from(options);
        return RemotePackingFileSystem.open(
                bdts, parsed, ObjectStores.open(parsed.store()), Writers.preferHost("127.0.0.1"));
    }
}
