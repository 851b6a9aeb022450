// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of a real Spark on a packing mount, with Alluxio's shaded client on its class path and no class of packing.
 */
@Tag("cluster")
class SparkIT {
    private static final int FILES = 150 * Integer.getInteger("packing.rounds", 1);

    @TempDir
    Path home;

    @Test
    void theFilesOfAJobAreCommittedByRenamePackedAndReadByTheNextJob() throws Exception {
        try (PackingCluster cluster = PackingCluster.start(home)) {
            Map<String, String> options =
                    cluster.storing("store", Map.of("packing.seal.after", "1h", "packing.seal.quiet", "0s"));
            cluster.mount("/small", options);
            submit(cluster, "write", "/small/output");
            try (RemotePackingFileSystem mount = cluster.client(options)) {
                assertThat(parts(mount)).hasSize(FILES).containsOnly(FileStatus.State.BUFFERED);
                submit(cluster, "read", "/small/output");
                mount.flush();
                assertThat(parts(mount)).hasSize(FILES).containsOnly(FileStatus.State.PACKED);
                assertThat(mount.bdt().stat(new FilePath("/small/output/_temporary")))
                        .as("what the committer works in")
                        .isEmpty();
            }
            submit(cluster, "read", "/small/output");
            assertThat(objects(home.resolve("store"))).isLessThan(FILES / 10);
        }
    }

    private void submit(PackingCluster cluster, String action, String directory) throws Exception {
        Map<String, String> properties = new HashMap<>(cluster.alluxio().clientProperties());
        properties.put("spark.hadoop.alluxio.user.file.writetype.default", "THROUGH");
        new SparkSubmit(home, cluster.alluxio().logs(), List.of(), properties, Map.of())
                .run(action, "alluxio://127.0.0.1:" + cluster.alluxio().masterPort() + directory, "" + FILES);
    }

    private static List<FileStatus.State> parts(RemotePackingFileSystem mount) throws IOException {
        return mount.bdt().list(new FilePath("/small/output"), "", FILES + 10).orElseThrow().stream()
                .filter(file -> file.path().name().startsWith("part-"))
                .map(FileStatus::state)
                .toList();
    }

    private static long objects(Path store) throws IOException {
        try (Stream<Path> files = Files.walk(store)) {
            return files.filter(Files::isRegularFile).count();
        }
    }
}
