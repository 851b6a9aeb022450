package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.it.spark.SmallFilesJob;
import io.packing.process.ClassPaths;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.worker.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Spark with Alluxio's shaded client on its class path and nothing of packing, on a packing mount. */
class SparkIT {
    private static final int FILES = 2_000;
    private static final int HEAP_MB = 512;
    private static final Path LIB = Path.of("../spark-runtime/target/spark-lib").toAbsolutePath();
    /** What Spark's own launcher opens to it on Java 17, as far as a local job needs it. */
    private static final List<String> OPENED =
            List.of("java.lang", "java.lang.invoke", "java.io", "java.net", "java.nio", "java.util", "sun.nio.ch");

    @TempDir
    Path home;

    @Test
    void theFilesOfAJobAreCommittedByRenamePackedAndReadByTheNextJob() throws Exception {
        try (PackingCluster cluster = PackingCluster.start(home)) {
            Map<String, String> options = cluster.storing("store", Map.of("packing.seal.after", "1h"));
            cluster.mount("/small", options);
            submit(cluster, "write", "/small/output");
            try (RemotePackingFileSystem mount = cluster.client(options)) {
                assertThat(parts(mount)).hasSize(FILES).containsOnly(FileStatus.State.BUFFERED);
                submit(cluster, "read", "/small/output");
                mount.flush();
                assertThat(parts(mount)).hasSize(FILES).containsOnly(FileStatus.State.PACKED);
                assertThat(mount.directory().stat(new FilePath("/small/output/_temporary")))
                        .as("what the committer works in")
                        .isEmpty();
            }
            submit(cluster, "read", "/small/output");
            assertThat(objects(home.resolve("store"))).isLessThan(FILES / 20);
        }
    }

    /** Runs one application as {@code spark-submit --master local[2]} would. */
    private void submit(PackingCluster cluster, String action, String directory) throws Exception {
        Map<String, String> properties = new HashMap<>(cluster.alluxio().clientProperties());
        properties.put("spark.master", "local[2]");
        properties.put("spark.driver.host", "127.0.0.1");
        properties.put("spark.driver.bindAddress", "127.0.0.1");
        properties.put("spark.ui.enabled", "false");
        properties.put("spark.local.dir", home.resolve("spark").toString());
        properties.put("spark.hadoop.alluxio.user.file.writetype.default", "THROUGH");
        List<String> jvm = new ArrayList<>(List.of("-Xss2m"));
        OPENED.forEach(opened -> jvm.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED"));
        List<String> classPath =
                List.of(LIB + "/*", ClassPaths.of(SmallFilesJob.class).toString());
        List<String> arguments =
                List.of(action, "alluxio://127.0.0.1:" + cluster.alluxio().masterPort() + directory, "" + FILES);
        List<String> printed = new ArrayList<>();
        JavaProcess.run(
                new JavaCommand("spark", SmallFilesJob.class.getName(), classPath, HEAP_MB, properties, arguments)
                        .withJvmOptions(jvm),
                cluster.alluxio().logs(),
                printed::add);
        assertThat(printed).last().asString().startsWith("done");
    }

    private static List<FileStatus.State> parts(RemotePackingFileSystem mount) throws IOException {
        return mount.directory().list(new FilePath("/small/output"), "", FILES + 10).orElseThrow().stream()
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
