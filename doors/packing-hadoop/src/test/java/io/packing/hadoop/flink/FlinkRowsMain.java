// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.flink;

import io.packing.process.Await;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.DefaultRollingPolicy;

/**
 * A process with a whole Flink: its job writes the numbers from 0 on to files of a mount. Its checkpoints and savepoints are on the mount,
 * too. {@code -Dpacking.savepoint=true} stops the job with a savepoint on its way, and goes on from there as fast as it can.
 *
 * <p>Arguments: location of the mount, number of rows, rows a second, a checkpoint to start from or an empty text, and settings as KEY=VALUE.
 */
public final class FlinkRowsMain {
    private static final int PARALLELISM = 2;
    private static final double FAST = 1e6;

    private FlinkRowsMain() {}

    public static void main(String[] args) throws Exception {
        Configuration settings = new Configuration();
        for (int i = 4; i < args.length; i++) {
            int equals = args[i].indexOf('=');
            settings.setString(args[i].substring(0, equals), args[i].substring(equals + 1));
        }
        FileSystem.initialize(settings, null);
        String uri = args[0];
        long rows = Long.parseLong(args[1]);
        double rate = Double.parseDouble(args[2]);
        String start = args[3];
        if (Boolean.getBoolean("packing.savepoint")) {
            int before = parts(uri);
            JobClient job = job(settings, start, uri, rows, rate).executeAsync("rows until a savepoint");
            Await.until("a part of this life", () -> parts(uri) > before);
            start = stop(job, uri);
            System.out.println("savepoint at " + start);
            rate = FAST;
        }
        System.out.println(
                "done " + job(settings, start, uri, rows, rate).execute("rows").getJobID());
    }

    private static String stop(JobClient job, String uri) throws ExecutionException, InterruptedException {
        return job.stopWithSavepoint(false, uri + "savepoints", SavepointFormatType.CANONICAL)
                .get();
    }

    /** Counts the committed files. */
    private static int parts(String uri) throws IOException {
        Path directory = new Path(uri + "rows");
        FileSystem files = FileSystem.get(URI.create(uri));
        int parts = 0;
        if (files.exists(directory)) {
            for (FileStatus each : files.listStatus(directory)) {
                parts += each.getPath().getName().startsWith(".") ? 0 : 1;
            }
        }
        return parts;
    }

    private static StreamExecutionEnvironment job(
            Configuration settings, String start, String uri, long rows, double rate) {
        Configuration all = new Configuration(settings);
        if (!start.isEmpty()) {
            all.setString("execution.state-recovery.path", start);
        }
        StreamExecutionEnvironment job = StreamExecutionEnvironment.createLocalEnvironment(PARALLELISM, all);
        DataGeneratorSource<Long> numbers =
                new DataGeneratorSource<>(n -> n, rows, RateLimiterStrategy.perSecond(rate), Types.LONG);
        // Parts stay open over several checkpoints, so that a new life has drafts to go on with.
        FileSink<Long> sink = FileSink.forRowFormat(new Path(uri + "rows"), new SimpleStringEncoder<Long>())
                .withBucketAssigner(new BasePathBucketAssigner<>())
                .withBucketCheckInterval(100)
                .withRollingPolicy(DefaultRollingPolicy.builder()
                        .withMaxPartSize(MemorySize.ofMebiBytes(1))
                        .withRolloverInterval(Duration.ofMillis(500))
                        .withInactivityInterval(Duration.ofMillis(500))
                        .build())
                .build();
        DataStreamSink<Long> unused = job.fromSource(numbers, WatermarkStrategy.noWatermarks(), "numbers")
                .uid("numbers")
                .sinkTo(sink)
                .uid("sink");
        return job;
    }
}
