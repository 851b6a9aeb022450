// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.cli.launch.Home;
import io.packing.cli.launch.Narrator;
import io.packing.hbase.load.YcsbLoad;
import io.packing.rig.Checkout;
import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of real workloads on a real HDFS, traced by configuration alone. It needs the folder of Hadoop's and HBase's
 * jars, which the module {@code hbase-runtime} collects.
 */
@Tag("cluster")
class HBaseTraceIT {
    @TempDir
    Path folder;

    private DemoRuns run(DemoSpec spec) throws Exception {
        Checkout checkout =
                new Checkout(new Home(Path.of("../..").toAbsolutePath().normalize()));
        TraceDemo demo = new TraceDemo(checkout, new Narrator(true), Clock.systemUTC());
        DemoRuns runs = demo.run(spec);
        assertThat(ProcessHandle.current().descendants()).isEmpty();
        assertThat(Files.readString(demo.analyze(spec))).contains("<html");
        return runs;
    }

    private static List<TraceEvent> events(DemoSpec spec) throws Exception {
        List<TraceEvent> events = new ArrayList<>();
        try (TraceFiles files = TraceFiles.open(List.of(TraceDemo.trace(spec)))) {
            for (Optional<TraceEvent> event = files.next(); event.isPresent(); event = files.next()) {
                events.add(event.get());
            }
            assertThat(files.report().isWhole()).isTrue();
            assertThat(files.report().dropped()).isZero();
        }
        return events;
    }

    private static void assertComplete(DemoRuns runs, int leastFiles) {
        assertThat(runs.failures()).isZero();
        assertThat(runs.checks()).singleElement().satisfies(check -> {
            assertThat(check.differences()).isEmpty();
            assertThat(check.isComplete()).as(check.summary()).isTrue();
            assertThat(check.files()).isGreaterThanOrEqualTo(leastFiles);
            assertThat(check.tracedBytes()).isPositive().isEqualTo(check.bytes());
        });
    }

    @Test
    void everyFileOfHBaseFollowsFromTheTracesOfItsServers() throws Exception {
        DemoSpec spec =
                new DemoSpec(DemoSpec.Kind.HBASE, new YcsbLoad(1500, 6000, 8, 1), 0, 2, 0, 1, folder.resolve("out"));
        assertComplete(run(spec), 50);

        List<TraceEvent> events = events(spec);
        assertThat(events)
                .extracting(event -> event.origin().process())
                .contains("hmaster", "regionserver-0", "regionserver-1");
        TreeSet<String> causes = new TreeSet<>();
        events.forEach(event -> cause(event).ifPresent(causes::add));
        assertThat(causes).containsExactly("compaction", "flush", "get", "log");
    }

    /** Returns HBase's reason for a call, if the call shows it. */
    private static Optional<String> cause(TraceEvent event) {
        if (event.call() == Call.HFLUSH && event.path().contains("/WALs/")) {
            return Optional.of("log");
        }
        if (event.call() == Call.PREAD_BYTE_BUFFER && event.thread().startsWith("RpcServer")) {
            return Optional.of("get");
        }
        if (event.call() != Call.WRITE) {
            return Optional.empty();
        }
        if (event.thread().contains("Compactions")) {
            return Optional.of("compaction");
        }
        return event.thread().contains("MemStoreFlusher") || event.thread().contains("RS_FLUSH")
                ? Optional.of("flush")
                : Optional.empty();
    }

    @Test
    void everyFileOfMapReduceJobsFollowsFromTheirTraces() throws Exception {
        DemoSpec spec =
                new DemoSpec(DemoSpec.Kind.MAPREDUCE, new YcsbLoad(1, 20_000, 1, 1), 0, 1, 0, 1, folder.resolve("out"));
        assertComplete(run(spec), 5);
        assertThat(events(spec))
                .extracting(event -> event.origin().process())
                .contains("TeraGen", "TeraSort", "TeraValidate");
    }
}
