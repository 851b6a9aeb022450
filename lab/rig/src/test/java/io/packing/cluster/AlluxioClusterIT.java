// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.cluster.load.ClusterLoadResult;
import io.packing.cluster.load.ClusterLoadSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of the cluster. It needs the folder of Alluxio's jars, which the module {@code alluxio-runtime} collects. */
@Tag("cluster")
class AlluxioClusterIT {
    @TempDir
    static Path home;

    private static LocalS3 s3;
    private static AlluxioCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        Path lib = Path.of(System.getProperty("packing.alluxio.lib"));
        cluster = AlluxioCluster.start(ClusterOptions.of(lib, home));
        s3 = new LocalS3();
        cluster.mount("/direct", "s3://bucket/direct", s3.mount().options());
        cluster.mount("/noop", "noop://ceiling/", Map.of());
    }

    @AfterAll
    static void stop() throws Exception {
        if (s3 != null) {
            s3.close();
        }
        if (cluster != null) {
            cluster.close();
            assertThat(cluster.master().isAlive()).isFalse();
            assertThat(cluster.worker(0).isAlive()).isFalse();
            assertThat(cluster.worker(1).isAlive()).isFalse();
        }
    }

    @Test
    void filesWrittenThroughOneWorkerAreReadThroughTheOther() throws Exception {
        ClusterLoadSpec write = ClusterLoadSpec.write("/direct/load", 50, 8192, 8, "THROUGH");
        ClusterLoadResult written = cluster.load(write, done -> {});
        assertThat(written.firstError()).isEmpty();
        assertThat(written.files()).isEqualTo(50);
        assertThat(s3.objects()).isGreaterThanOrEqualTo(50);

        ClusterLoadResult read = cluster.load(write.readBack(), done -> {});
        assertThat(read.firstError()).isEmpty();
        assertThat(read.bytes()).isEqualTo(50 * 8192);
    }

    @Test
    void aFileThatAlluxioGivesUpIsWrittenAgainWhereTheLoadRepeats() throws Exception {
        ClusterLoadSpec givenUp = ClusterLoadSpec.write("/direct/once/refused", 3, 100, 2, "THROUGH");
        assertThat(cluster.load(givenUp, done -> {}).failures()).isPositive();
        ClusterLoadSpec all = ClusterLoadSpec.write("/direct/all/refused", 3, 100, 2, "THROUGH")
                .repeating();
        ClusterLoadResult written = cluster.load(all, done -> {});
        assertThat(written.firstError()).isEmpty();
        assertThat(written.files()).isEqualTo(3);
        assertThat(cluster.load(all.readBack(), done -> {}).isClean()).isTrue();
    }

    @Test
    void aReaderWithAnotherSeedSeesEveryFileDiffer() throws Exception {
        ClusterLoadSpec write = ClusterLoadSpec.write("/direct/seed", 5, 100, 2, "THROUGH");
        assertThat(cluster.load(write, done -> {}).firstError()).isEmpty();
        ClusterLoadSpec other =
                new ClusterLoadSpec(ClusterLoadSpec.Action.READ, "/direct/seed", 5, 100, 2, "THROUGH", false, 2, 1);
        assertThat(cluster.load(other, done -> {}).mismatches()).isEqualTo(5);
    }

    @Test
    void theNoopFileSystemTakesEveryWriteAndStoresNothing() throws Exception {
        int objects = s3.objects();
        ClusterLoadResult written =
                cluster.load(ClusterLoadSpec.write("/noop/load", 50, 8192, 8, "THROUGH"), done -> {});
        assertThat(written.firstError()).isEmpty();
        assertThat(s3.objects()).isEqualTo(objects);
        assertThat(cluster.shell("ls", "/noop/load")).hasSize(50);
    }

    @Test
    void filesSurviveACrashOfMasterAndWorkers() throws Exception {
        ClusterLoadSpec write = ClusterLoadSpec.write("/direct/crash", 5, 100, 2, "THROUGH");
        assertThat(cluster.load(write, done -> {}).firstError()).isEmpty();
        cluster.crashWorker(0);
        cluster.crashMaster();
        cluster.restartWorker(1);
        assertThat(cluster.load(write.readBack(), done -> {}).firstError()).isEmpty();
    }

    @Test
    void commandsAndLoadsOfOneProcessComeOneAfterTheOther() throws Exception {
        ClusterLoadSpec write = ClusterLoadSpec.write("/direct/tried a%b", 5, 100, 2, "THROUGH");
        assertThat(cluster.tryLoad(write).files()).isEqualTo(5);
        assertThat(cluster.shell("ls", "-f", "/direct/tried a%b")).hasSize(5);
        assertThatThrownBy(() -> cluster.shell("ls", "/direct/none")).hasMessageContaining("/direct/none");
        assertThat(cluster.tryLoad(write.readBack()).isClean()).isTrue();
        ClusterLoadSpec other = new ClusterLoadSpec(
                ClusterLoadSpec.Action.READ, "/direct/tried a%b", 5, 100, 2, "THROUGH", false, 2, 1);
        assertThat(cluster.tryLoad(other).mismatches()).isEqualTo(5);
    }

    @Test
    void aCommandThatFailsSaysWhy() {
        assertThatThrownBy(() -> cluster.shell("cat", "/nothing"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/nothing");
    }
}
