// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.hadoop.LocalMount;
import io.packing.hadoop.PackingHadoopFileSystem;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.seed.Seed;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job of Flink with sink, checkpoints and savepoints on a mount. Its only process, with job manager and task manager, is killed. {@code
 * -Dpacking.flink.kills=N} kills N lives of the job instead of one, {@code -Dpacking.flink=DIR} takes another version of Flink from a folder of jars.
 */
@Tag("process")
@Timeout(3600)
final class FlinkSinkTest {
    private static final int KILLS = Integer.getInteger("packing.flink.kills", 1);
    /** Rows a second and rows: a life is killed long before the last row. */
    private static final int RATE = 500;

    private static final int ROWS = 20_000 + 2_000 * (KILLS - 1);
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @TempDir
    private java.nio.file.Path temp;

    private LocalMount local;
    private PackingHadoopFileSystem files;

    @BeforeEach
    void start() throws IOException {
        local = LocalMount.start(temp, "1h");
        files = new PackingHadoopFileSystem();
        files.initialize(local.uri(), local.configure(new Configuration()));
    }

    @AfterEach
    void stop() throws IOException {
        files.close();
        local.close();
    }

    /** Returns the class path of a life: that of this process, perhaps with another Flink. */
    private static List<String> classPath() {
        List<String> all = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
        String other = System.getProperty("packing.flink", "");
        if (other.isEmpty()) {
            return all;
        }
        List<String> path = new ArrayList<>(List.of(other + "/*"));
        all.stream()
                .filter(each -> !each.contains("/org/apache/flink/") && !each.contains("kryo"))
                .forEach(path::add);
        return path;
    }

    private JavaCommand life(Optional<Path> checkpoint, boolean savepoint) {
        List<String> words = new ArrayList<>(List.of(
                local.uri().toString(),
                Integer.toString(ROWS),
                Integer.toString(RATE),
                checkpoint.map(Path::toString).orElse("")));
        words.add("execution.checkpointing.interval=200ms");
        words.add("execution.checkpointing.dir=" + local.uri() + "checkpoints");
        words.add("execution.checkpointing.externalized-checkpoint-retention=RETAIN_ON_CANCELLATION");
        words.add("restart-strategy.type=disable");
        for (String host : List.of(
                "rest.address",
                "rest.bind-address",
                "jobmanager.bind-host",
                "taskmanager.bind-host",
                "taskmanager.host")) {
            words.add(host + "=127.0.0.1");
        }
        local.configure(new Configuration(false))
                .forEach(option -> words.add("flink.hadoop." + option.getKey() + "=" + option.getValue()));
        return new JavaCommand(
                        "flink",
                        FlinkRowsMain.class.getName(),
                        classPath(),
                        512,
                        Map.of("packing.savepoint", Boolean.toString(savepoint)),
                        words)
                .withJvmOptions(List.of(
                        "-Xss1m",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "--add-opens=java.base/java.util=ALL-UNNAMED"))
                .brief();
    }

    private List<FileStatus> listed(String directory) throws IOException {
        Path path = new Path(directory);
        return files.exists(path) ? List.of(files.listStatus(path)) : List.of();
    }

    /** Returns the files that the sink has committed. */
    private List<FileStatus> parts() throws IOException {
        return listed("/rows").stream()
                .filter(each -> !each.getPath().getName().startsWith("."))
                .toList();
    }

    /** Returns the newest checkpoint that is complete. */
    private Optional<Path> checkpoint() throws IOException {
        List<Path> complete = new ArrayList<>();
        for (FileStatus job : listed("/checkpoints")) {
            for (FileStatus each : listed(job.getPath().toUri().getPath())) {
                if (each.getPath().getName().startsWith("chk-")
                        && files.exists(new Path(each.getPath(), "_metadata"))) {
                    complete.add(each.getPath());
                }
            }
        }
        // A job that starts from a checkpoint counts on from its number.
        return complete.stream()
                .max(Comparator.comparingInt(
                        each -> Integer.parseInt(each.getName().substring("chk-".length()))));
    }

    private List<Long> rows() throws IOException {
        List<Long> rows = new ArrayList<>();
        for (FileStatus part : parts()) {
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(files.open(part.getPath()), StandardCharsets.UTF_8))) {
                lines.lines().map(Long::valueOf).forEach(rows::add);
            }
        }
        rows.sort(Comparator.naturalOrder());
        return rows;
    }

    @Test
    void eachRowIsThereOnceAfterKillsAndASavepoint() throws Exception {
        Random random = Seed.random();
        Optional<Path> checkpoint = Optional.empty();
        for (int kill = 0; kill < KILLS; kill++) {
            Optional<Path> before = checkpoint;
            int parts = parts().size();
            try (JavaProcess job = JavaProcess.start(life(before, false), temp)) {
                job.await(
                        "no part and checkpoint of this life",
                        PATIENCE,
                        () -> parts().size() > parts && !checkpoint().equals(before));
                Thread.sleep(random.nextInt(400));
                job.kill();
            }
            checkpoint = checkpoint();
            assertThat(rows())
                    .as("a job was killed on its way")
                    .doesNotHaveDuplicates()
                    .hasSizeLessThan(ROWS);
        }
        try (JavaProcess job = JavaProcess.start(life(checkpoint, true), temp)) {
            assertThat(job.awaitLine("savepoint at ", PATIENCE))
                    .startsWith(local.uri().toString());
            job.awaitEnd(PATIENCE);
        }
        assertThat(rows()).isEqualTo(LongStream.range(0, ROWS).boxed().toList());
        assertThat(listed("/savepoints")).hasSize(1);
    }
}
