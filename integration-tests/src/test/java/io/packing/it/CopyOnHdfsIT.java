// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.hbase.HdfsCluster;
import io.packing.hbase.Setup;
import io.packing.operations.copy.CopyResult;
import io.packing.operations.copy.CopySpec;
import io.packing.operations.copy.TreeCopy;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test that copies a tree from this machine to a real HDFS, from there to a mount, and back over both. It needs the
 * folder of Hadoop's jars, which the module {@code hbase-runtime} collects.
 */
@Tag("cluster")
class CopyOnHdfsIT {
    private static final int FILES = 100;
    private static final int LARGE = 6 << 20;

    @TempDir
    private Path folder;

    private static void file(Path file, int length) throws IOException {
        byte[] bytes = new byte[length];
        new Random(Seed.value() + length).nextBytes(bytes);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_600_000_000_000L + length));
    }

    private static Map<String, String> content(Path top) throws IOException {
        Map<String, String> all = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(top)) {
            for (Path path : walk.filter(Files::isRegularFile).toList()) {
                all.put(
                        top.relativize(path).toString(),
                        Files.getLastModifiedTime(path).toMillis() + " "
                                + HexFormat.of().formatHex(Files.readAllBytes(path)));
            }
        }
        return all;
    }

    private static CopyResult copy(String from, String to, String store) throws IOException, InterruptedException {
        CopySpec spec = new CopySpec(
                CopySpec.place(from),
                CopySpec.place(to),
                4,
                false,
                true,
                Map.of("packing.store", store, "dfs.replication", "1"),
                Map.of(),
                Map.of(),
                List.of());
        TreeCopy.Progress nobody = new TreeCopy.Progress() {
            @Override
            public void found(long files) {}

            @Override
            public void done() {}
        };
        CopyResult result = TreeCopy.run(spec, failure -> true, nobody, System::nanoTime);
        assertThat(result.refused()).isEmpty();
        return result;
    }

    @Test
    void aTreeGoesOverHdfsToAMountAndBack() throws Exception {
        Path tree = folder.resolve("tree");
        for (int i = 0; i < FILES; i++) {
            file(tree.resolve("d%d/f%d".formatted(i % 5, i)), i);
        }
        file(tree.resolve("large"), LARGE);
        Setup setup = new Setup(Path.of("..", "lab", "hbase-runtime", "target", "hbase-lib"), folder.resolve("hdfs"));
        try (HdfsCluster hdfs = HdfsCluster.start(setup, 1);
                DirectoryMount mount = DirectoryMount.start(folder)) {
            String store = mount.store();
            String onHdfs = hdfs.uri() + "/tree";
            String onMount = mount.uri() + "/tree";
            assertThat(copy(tree.toString(), onHdfs, store).files()).isEqualTo(FILES + 1);
            assertThat(copy(onHdfs, onMount, store).files()).isEqualTo(FILES + 1);
            assertThat(mount.mount().bdt().statistics().files()).isEqualTo(FILES + 1);
            CopyResult again = copy(onHdfs, onMount, store);
            assertThat(again.there()).isEqualTo(FILES + 1);
            assertThat(copy(onMount, hdfs.uri() + "/back", store).files()).isEqualTo(FILES + 1);
            Path back = folder.resolve("back");
            assertThat(copy(hdfs.uri() + "/back", back.toString(), store).bytes())
                    .isEqualTo(LARGE + FILES * (FILES - 1) / 2);
            assertThat(content(back)).isEqualTo(content(tree));
        }
    }
}
