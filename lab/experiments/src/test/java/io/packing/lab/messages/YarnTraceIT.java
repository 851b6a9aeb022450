// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.messages;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.packing.cli.launch.Home;
import io.packing.hbase.HdfsCluster;
import io.packing.hbase.Setup;
import io.packing.hbase.TeraJobs;
import io.packing.hbase.Tracing;
import io.packing.hbase.YarnCluster;
import io.packing.hbase.check.Completeness;
import io.packing.hbase.check.Reconstruction;
import io.packing.rig.Checkout;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFiles;
import io.packing.trace.analysis.Analysis;
import io.packing.trace.analysis.AnalysisReport;
import io.packing.trace.analysis.Findings;
import io.packing.trace.analysis.Rules;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of jobs on a real YARN, traced by configuration alone, and of the analysis of their trace on that YARN. It
 * runs only with {@code -Dpacking.yarn=true}: the master of a MapReduce job listens on every address, which no
 * configuration prevents.
 */
@EnabledIfSystemProperty(
        named = "packing.yarn",
        matches = "true",
        disabledReason = "runs with -Dpacking.yarn=true, where no other user reaches this machine (CONTRIBUTING.md)")
@Tag("cluster")
class YarnTraceIT {
    private static final int ROWS = 20_000;

    @TempDir
    Path folder;

    @Test
    void everyFileOfJobsFollowsFromTheirTraceAndItsAnalysisThereIsThatInThisProcess() throws Exception {
        Checkout checkout =
                new Checkout(new Home(Path.of("../..").toAbsolutePath().normalize()));
        Path trace = folder.resolve("trace");
        try (HdfsCluster hdfs = HdfsCluster.start(new Setup(checkout.hbaseLib(), folder.resolve("servers")), 1);
                YarnCluster yarn = YarnCluster.start(hdfs)) {
            TeraJobs jobs = new TeraJobs(hdfs, "yarn", Optional.of(Tracing.into(trace)), Optional.of(yarn));
            jobs.generate(ROWS);
            jobs.sort();
            jobs.validate();
            yarn.awaitIdle();
            Completeness complete;
            try (TraceFiles events = TraceFiles.open(List.of(trace))) {
                complete = Reconstruction.of(events).compare(hdfs.files());
            }
            assertThat(complete.differences()).isEmpty();
            assertThat(complete.isComplete()).as(complete.summary()).isTrue();
            assertThat(complete.bytes()).isGreaterThan(2L * ROWS * 100);
            assertThat(processes(trace))
                    .as("a client, a master and tasks of each job")
                    .hasSizeGreaterThan(3 * 3);

            Rules rules = Rules.from(ConfigFactory.parseFile(
                    checkout.home().traceRules("mapreduce").toFile()));
            String copied = copy(trace, hdfs.uri());
            Findings there = new Analysis(
                            rules, List.of(copied), hdfs.uri() + "/work", Optional.of(yarn.clientConfiguration()), 2)
                    .run((number, of, what) -> {});
            Findings here = new Analysis(
                            rules, List.of(trace.toString()), folder.toUri().toString(), Optional.empty(), 2)
                    .run((number, of, what) -> {});
            assertThat(numbers(there, "there")).isEqualTo(numbers(here, "here"));
        }
        assertThat(ProcessHandle.current().descendants()).isEmpty();
    }

    private static Set<Long> processes(Path trace) throws Exception {
        Set<Long> processes = new TreeSet<>();
        try (TraceFiles files = TraceFiles.open(List.of(trace))) {
            for (Optional<TraceEvent> event = files.next(); event.isPresent(); event = files.next()) {
                processes.add(event.get().origin().pid());
            }
        }
        return processes;
    }

    private static String copy(Path trace, String hdfs) throws Exception {
        String to = hdfs + "/traces";
        try (FileSystem files = FileSystem.newInstance(URI.create(hdfs), new Configuration())) {
            files.copyFromLocalFile(new org.apache.hadoop.fs.Path(trace.toUri()), new org.apache.hadoop.fs.Path(to));
        }
        return to;
    }

    private String numbers(Findings findings, String name) throws Exception {
        Path directory = folder.resolve(name);
        assertThat(AnalysisReport.write(findings, directory)).exists();
        return Files.readString(directory.resolve("numbers.json"));
    }
}
