// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.cluster.AlluxioCluster;
import io.packing.it.hadoop.SmallFilesProgram;
import io.packing.it.hadoop.WordCountJob;
import io.packing.process.ClassPaths;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.worker.api.PackingInput;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of applications with Hadoop's API only, over Alluxio's client for it, on a packing mount. */
@Tag("cluster")
class HadoopClientIT {
    private static final int HEAP_MB = 384;

    @TempDir
    static Path home;

    private static @Nullable PackingCluster running;
    private static Map<String, String> options = Map.of();

    @BeforeAll
    static void start() throws Exception {
        running = PackingCluster.start(home);
        options = cluster().storing("store", Map.of("packing.seal.after", "1h", "packing.seal.quiet", "0s"));
        cluster().mount("/small", options);
    }

    @AfterAll
    static void stop() {
        if (running != null) {
            running.close();
        }
    }

    private static PackingCluster cluster() {
        return Objects.requireNonNull(running);
    }

    private static String uri(String path) {
        return "alluxio://127.0.0.1:" + cluster().alluxio().masterPort() + path;
    }

    /** Runs a program with Alluxio's client, Alluxio's Hadoop and no class of packing. */
    private static void run(Class<?> program, String... arguments) throws IOException, InterruptedException {
        AlluxioCluster cluster = cluster().alluxio();
        List<String> classPath = new ArrayList<>(cluster.classPath());
        classPath.add(ClassPaths.of(program).toString());
        Map<String, String> properties = new HashMap<>(cluster.clientProperties());
        properties.put("alluxio.user.file.writetype.default", "THROUGH");
        List<String> printed = new ArrayList<>();
        JavaProcess.run(
                new JavaCommand("hadoop", program.getName(), classPath, HEAP_MB, properties, List.of(arguments))
                        .brief(),
                cluster.logs(),
                printed::add);
        assertThat(printed).last().asString().startsWith("done");
    }

    @Test
    void smallFilesOfAnHdfsApplicationAreBufferedPackedAndReadBack() throws Exception {
        run(SmallFilesProgram.class, "write", uri("/small/files"), "50");
        try (RemotePackingFileSystem mount = cluster().client(options)) {
            assertThat(states(mount, "/small/files")).hasSize(50).containsOnly(FileStatus.State.BUFFERED);
            run(SmallFilesProgram.class, "read", uri("/small/files"), "50");
            mount.flush();
            assertThat(states(mount, "/small/files")).hasSize(50).containsOnly(FileStatus.State.PACKED);
            run(SmallFilesProgram.class, "read", uri("/small/files"), "50");
            run(SmallFilesProgram.class, "change", uri("/small/files"));
            assertThat(names(mount, "/small/files")).contains("moved", "f00001").doesNotContain("f00000", "f00002");
            assertThat(read(mount, "/small/files/f00001")).isEqualTo("new");
            assertThat(read(mount, "/small/files/moved/renamed")).startsWith("content of file 0, ");
        }
    }

    @Test
    void aMapReduceJobReadsSmallFilesAndCommitsItsOutputByRename() throws Exception {
        run(SmallFilesProgram.class, "write", uri("/small/input"), "20");
        run(
                WordCountJob.class,
                uri("/small/input"),
                uri("/small/output"),
                home.resolve("scratch").toString());
        try (RemotePackingFileSystem mount = cluster().client(options)) {
            mount.flush();
            assertThat(names(mount, "/small/output")).contains("_SUCCESS", "part-r-00000", "part-r-00007");
            StringBuilder counts = new StringBuilder();
            for (int i = 0; i < 8; i++) {
                counts.append(read(mount, "/small/output/part-r-0000" + i));
            }
            // File i says "content of file i, " 100 + i times.
            assertThat(counts.toString().lines())
                    .contains("content\t2190", "of\t2190", "file\t2190", "0,\t100", "19,\t119")
                    .hasSize(23);
        }
    }

    private static List<FileStatus> list(RemotePackingFileSystem mount, String directory) throws IOException {
        return mount.bdt().list(new FilePath(directory), "", 1_000).orElseThrow();
    }

    private static List<String> names(RemotePackingFileSystem mount, String directory) throws IOException {
        return list(mount, directory).stream().map(file -> file.path().name()).toList();
    }

    private static List<FileStatus.State> states(RemotePackingFileSystem mount, String directory) throws IOException {
        return list(mount, directory).stream().map(FileStatus::state).toList();
    }

    private static String read(RemotePackingFileSystem mount, String path) throws IOException {
        try (PackingInput input = mount.open(new FilePath(path))) {
            ByteBuffer bytes = ByteBuffer.allocate((int) input.attributes().length());
            while (bytes.hasRemaining()) {
                assertThat(input.read(bytes.position(), bytes)).isPositive();
            }
            return new String(bytes.array(), StandardCharsets.UTF_8);
        }
    }
}
