// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables.engines;

import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.DefaultRollingPolicy;

/**
 * A client of a cluster of Flink. It submits a job that writes the numbers from 0 on to files of a mount, and ends. The cluster has this class on its
 * class path.
 *
 * <p>Arguments: port of the job manager's REST, directory of the files, number of rows, rows a second.
 */
public final class FlinkRowsJob {
    private static final int PARALLELISM = 2;
    private static final int CHECKPOINTS_MILLIS = 300;

    private FlinkRowsJob() {}

    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment job =
                StreamExecutionEnvironment.createRemoteEnvironment("127.0.0.1", Integer.parseInt(args[0]), PARALLELISM);
        StreamExecutionEnvironment unused = job.enableCheckpointing(CHECKPOINTS_MILLIS);
        DataGeneratorSource<Long> numbers = new DataGeneratorSource<>(
                number -> number,
                Long.parseLong(args[2]),
                RateLimiterStrategy.perSecond(Double.parseDouble(args[3])),
                Types.LONG);
        // Parts stay open over several checkpoints, so that a recovery has drafts to go on with.
        FileSink<Long> sink = FileSink.forRowFormat(new Path(args[1]), new SimpleStringEncoder<Long>())
                .withBucketAssigner(new BasePathBucketAssigner<>())
                .withBucketCheckInterval(100)
                .withRollingPolicy(DefaultRollingPolicy.builder()
                        .withMaxPartSize(MemorySize.ofMebiBytes(1))
                        .withRolloverInterval(Duration.ofMillis(700))
                        .withInactivityInterval(Duration.ofMillis(700))
                        .build())
                .build();
        DataStreamSink<Long> unusedToo = job.fromSource(numbers, WatermarkStrategy.noWatermarks(), "numbers")
                .uid("numbers")
                .sinkTo(sink)
                .uid("sink");
        System.out.println("job " + job.executeAsync("rows").getJobID());
    }
}
