// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.it.spark.StreamedRowsJob;
import io.packing.process.JavaProcess;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A structured stream of Spark with its files and its checkpoint on a mount, whose driver is killed. {@code -Dpacking.stream.kills=N} kills N
 * lives of it instead of two.
 */
@Tag("experiment")
class SparkStreamIT {
    private static final int KILLS = Integer.getInteger("packing.stream.kills", 2);
    private static final int MOST_MILLIS = 1_000;
    private static final int MORE_BATCHES = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @TempDir
    private Path home;

    private DirectoryMount mount;

    @BeforeEach
    void start() throws IOException {
        mount = DirectoryMount.start(home);
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    /** Counts the batches that a life has committed. */
    private int batches() throws IOException {
        List<FileStatus> commits = mount.mount()
                .bdt()
                .list(new FilePath("/stream/checkpoint/commits"), "", 10_000)
                .orElse(List.of());
        return (int) commits.stream()
                .filter(each -> !each.path().name().startsWith("."))
                .count();
    }

    @Test
    void eachRowIsThereOnceAfterKillsOfTheDriver() throws Exception {
        Random random = Seed.random();
        SparkSubmit spark = new SparkSubmit(
                home,
                home.resolve("logs"),
                List.of(HadoopFileSystemIT.jar()),
                Map.of("spark.sql.shuffle.partitions", "2"),
                Map.of());
        String directory = mount.uri() + "/stream";
        for (int kill = 0; kill < KILLS; kill++) {
            int before = batches();
            try (JavaProcess driver = JavaProcess.start(
                    spark.command(StreamedRowsJob.class, directory, Integer.toString(Integer.MAX_VALUE)),
                    home.resolve("logs"))) {
                driver.await("no batch of this life", PATIENCE, () -> batches() > before + 1);
                Thread.sleep(random.nextInt(MOST_MILLIS));
                driver.kill();
            }
        }
        assertThat(spark.run(StreamedRowsJob.class, directory, Integer.toString(batches() + MORE_BATCHES)))
                .isNotEmpty();
    }
}
