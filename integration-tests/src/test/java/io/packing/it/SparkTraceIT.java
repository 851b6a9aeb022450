// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.hbase.HdfsCluster;
import io.packing.hbase.Setup;
import io.packing.hbase.check.Completeness;
import io.packing.hbase.check.Reconstruction;
import io.packing.options.Options;
import io.packing.process.ClassPaths;
import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of a real Spark on a real HDFS under HTFS, deployed as docs/tracing.md says. */
@Tag("cluster")
class SparkTraceIT {
    private static final int FILES = 60 * Integer.getInteger("packing.rounds", 1);

    /**
     * The three jars of docs/tracing.md, by a class of each. The tracer's class goes by its name, since its superclass
     * is not on this class path.
     */
    private static final List<Path> TRACER = List.of(
            ClassPaths.of("io.packing.htfs.TracingFileSystem"),
            ClassPaths.of(TraceEvent.class),
            ClassPaths.of(Options.class));

    @TempDir
    Path home;

    @Test
    void everyFileOfSparkJobsFollowsFromTheirTraces() throws Exception {
        Path traces = home.resolve("traces");
        Setup setup = new Setup(Path.of("..", "lab", "hbase-runtime", "target", "hbase-lib"), home.resolve("hdfs"));
        try (HdfsCluster hdfs = HdfsCluster.start(setup, 1)) {
            SparkSubmit spark = new SparkSubmit(
                    home,
                    setup.logs(),
                    TRACER,
                    Map.of(
                            "spark.hadoop.fs.hdfs.impl", "org.apache.hadoop.hdfs.TracingDistributedFileSystem",
                            "spark.hadoop.htfs.dir", traces.toString(),
                            "spark.hadoop.htfs.process", "my-job",
                            "spark.hadoop.dfs.replication", "1"),
                    Map.of());
            spark.run("write", hdfs.uri() + "/output", "" + FILES);
            spark.run("read", hdfs.uri() + "/output", "" + FILES);

            List<TraceEvent> events = events(traces);
            assertThat(events).allMatch(event -> event.origin().process().equals("my-job"));
            assertThat(events)
                    .extracting(TraceEvent::call)
                    .contains(Call.MKDIRS, Call.CREATE, Call.WRITE, Call.CLOSE_OUTPUT, Call.RENAME, Call.OPEN);
            Completeness check;
            try (TraceFiles files = TraceFiles.open(List.of(traces))) {
                check = Reconstruction.of(files).compare(hdfs.files());
            }
            assertThat(check.differences()).isEmpty();
            assertThat(check.isComplete()).as(check.summary()).isTrue();
            assertThat(check.files()).isGreaterThan(FILES);
        }
    }

    private static List<TraceEvent> events(Path traces) throws IOException {
        List<TraceEvent> events = new ArrayList<>();
        try (TraceFiles files = TraceFiles.open(List.of(traces))) {
            for (Optional<TraceEvent> event = files.next(); event.isPresent(); event = files.next()) {
                events.add(event.get());
            }
            assertThat(files.report().isWhole()).isTrue();
            assertThat(files.report().dropped()).isZero();
        }
        return events;
    }
}
