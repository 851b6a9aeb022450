// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables.engines;

import io.packing.cli.launch.Narrator;
import io.packing.hadoop.PackingHadoopFileSystem;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A job of Flink that writes rows, while its job manager is killed again and again. ZooKeeper names the next one, which takes the job from the mount and
 * goes on from its last checkpoint. At the end each row has to be there once.
 */
record FlinkTrial(int kills, Narrator narrator) implements EngineTrial {
    private static final int PER_SECOND = 500;
    private static final int ROWS_OF_A_LIFE = 10_000;
    private static final int MOST_MILLIS = 500;
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String FINISHED = "FINISHED";

    @Override
    public EngineFigures run(EngineGround ground) throws IOException, InterruptedException {
        long since = System.nanoTime();
        FlinkCluster cluster = FlinkCluster.start(ground);
        String directory = ground.rig().root() + EngineGround.TABLES + "/flink";
        long rows = (long) ROWS_OF_A_LIFE * (kills + 1);
        String job = cluster.submit(directory, rows, PER_SECOND);
        int killed = 0;
        for (; killed < kills; killed++) {
            long before = awaitCheckpoint(cluster, job, -1);
            long unused = awaitCheckpoint(cluster, job, before);
            Thread.sleep(ground.random().nextInt(MOST_MILLIS));
            if (cluster.state(job).equals(Optional.of(FINISHED))) {
                throw new IOException("the job has ended before kill " + (killed + 1));
            }
            narrator.accept("flink: kill %d of the job manager, after checkpoint %d".formatted(killed + 1, before));
            cluster.replaceJobManager();
        }
        cluster.await("has not ended the job", PATIENCE, () -> {
            Optional<String> state = cluster.state(job);
            if (state.filter(each -> each.equals("FAILED") || each.equals("CANCELED"))
                    .isPresent()) {
                throw new IOException("the job is " + state.get());
            }
            return state.equals(Optional.of(FINISHED));
        });
        Set<Long> wanted = LongStream.range(0, rows).boxed().collect(Collectors.toSet());
        return EngineFigures.of(1 + killed, 0, killed, wanted, rows(ground, directory), since);
    }

    /** Waits until a checkpoint behind this one is complete; returns its number. */
    private static long awaitCheckpoint(FlinkCluster cluster, String job, long last)
            throws IOException, InterruptedException {
        List<Long> found = new ArrayList<>();
        cluster.await("has completed no further checkpoint", PATIENCE, () -> {
            cluster.checkpoint(job).filter(each -> each > last).ifPresent(found::add);
            return !found.isEmpty();
        });
        return found.get(0);
    }

    private static List<Long> rows(EngineGround ground, String directory) throws IOException {
        List<Long> rows = new ArrayList<>();
        try (FileSystem files = new PackingHadoopFileSystem()) {
            files.initialize(ground.rig().root(), ground.configuration());
            for (FileStatus part : files.listStatus(new Path(directory))) {
                // Drafts, which readers pass over.
                if (part.getPath().getName().startsWith(".")) {
                    continue;
                }
                try (BufferedReader lines =
                        new BufferedReader(new InputStreamReader(files.open(part.getPath()), StandardCharsets.UTF_8))) {
                    lines.lines().map(Long::valueOf).forEach(rows::add);
                }
            }
        }
        return rows;
    }
}
