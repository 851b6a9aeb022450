// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.blob.FilePath;
import io.packing.hbase.HBaseCluster;
import io.packing.hbase.HBaseRoot;
import io.packing.hbase.Setup;
import io.packing.hbase.ZooKeeper;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of HBase with its root directory on a packing mount. RegionServers are killed during edits, and no
 * acknowledged edit may be lost. Compactions keep the edits, and HBase's snapshots bring them back.
 * {@code -Dpacking.hbase.rounds=N} kills N of them; the build kills one.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
@Tag("cluster")
class HBaseOnPackingIT {
    private static final int ROUNDS = Integer.getInteger("packing.hbase.rounds", 1);
    private static final int EDITS = 3_000;
    private static final int WRITERS = 8;
    private static final Path LIB = Path.of("../lab/hbase-runtime/target/hbase-lib");

    @TempDir
    private Path home;

    private static Path jar() throws IOException {
        try (DirectoryStream<Path> jars =
                Files.newDirectoryStream(Path.of("../doors/packing-hadoop/target"), "packing-hadoop-*-all.jar")) {
            return jars.iterator().next().toAbsolutePath();
        }
    }

    @Test
    void noAcknowledgedEditIsLostWhenRegionServersAreKilled() throws Exception {
        try (DirectoryMount mount = DirectoryMount.start(home)) {
            Setup setup = new Setup(LIB, home.resolve("hbase"));
            String files = mount.uri();
            HBaseRoot root = new HBaseRoot(
                    setup,
                    files + "/hbase",
                    Map.of("fs.defaultFS", files, "packing.store", mount.store()),
                    List.of(jar()));
            try (ZooKeeper zooKeeper = ZooKeeper.start(setup);
                    HBaseCluster hbase = HBaseCluster.start(root, zooKeeper, "packing", 2, Optional.empty())) {
                Set<Long> acked = ConcurrentHashMap.newKeySet();
                for (int round = 0; round < ROUNDS; round++) {
                    killOneWhileEditing(hbase, (long) round * EDITS, acked);
                    assertThat(hbase.edits()).as("edits after round %d", round).containsAll(acked);
                }
                assertThat(acked).hasSize(ROUNDS * EDITS);
                aSnapshotBringsBack(hbase, acked);
                hbase.shutDown();
            }
            assertThat(mount.mount().bdt().list(new FilePath("/hbase/data/default/messages"), "", 100))
                    .isPresent();
        }
    }

    /** Restores a snapshot. A compaction after the snapshot has replaced the files that it refers to. */
    private static void aSnapshotBringsBack(HBaseCluster hbase, Set<Long> acked) throws Exception {
        hbase.settle();
        assertThat(hbase.edits()).as("edits after a compaction").isEqualTo(acked);
        hbase.takeSnapshot("before");
        hbase.edit((long) ROUNDS * EDITS, EDITS / 10, WRITERS, number -> {});
        hbase.settle();
        assertThat(hbase.edits()).as("edits after a snapshot").hasSize(ROUNDS * EDITS + EDITS / 10);
        hbase.restoreSnapshot("before");
        assertThat(hbase.edits()).as("edits of the snapshot").isEqualTo(acked);
    }

    private static void killOneWhileEditing(HBaseCluster hbase, long first, Set<Long> acked) throws Exception {
        CountDownLatch third = new CountDownLatch(EDITS / 3);
        ExecutorService editor = Executors.newSingleThreadExecutor();
        try {
            Future<?> edits = editor.submit(() -> {
                hbase.edit(first, EDITS, WRITERS, number -> {
                    acked.add(number);
                    third.countDown();
                });
                return null;
            });
            third.await();
            hbase.replaceRegionServer();
            edits.get();
        } finally {
            editor.shutdown();
        }
    }
}
