// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.messages;

import com.typesafe.config.ConfigFactory;
import io.packing.cli.launch.Narrator;
import io.packing.hbase.HdfsCluster;
import io.packing.hbase.Setup;
import io.packing.hbase.Tracing;
import io.packing.hbase.ZooKeeper;
import io.packing.hbase.check.Completeness;
import io.packing.hbase.check.FileLengths;
import io.packing.hbase.check.Reconstruction;
import io.packing.rig.Checkout;
import io.packing.rig.Workspace;
import io.packing.trace.TraceFiles;
import io.packing.trace.analysis.Analysis;
import io.packing.trace.analysis.AnalysisReport;
import io.packing.trace.analysis.Findings;
import io.packing.trace.analysis.Rules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Runs a workload on a real HDFS, traced and not, checks each trace against HDFS, and analyzes the first. */
public record TraceDemo(Checkout checkout, Narrator narrator, Clock clock) {
    private static final int DATA_NODES = 3;

    /** Returns the directory of the first traced run's trace. */
    public static Path trace(DemoSpec spec) {
        return spec.out().resolve("trace");
    }

    /** Does all runs; afterwards no process is left and nothing but what is in {@code out}. */
    public DemoRuns run(DemoSpec spec) throws IOException, InterruptedException {
        prepare(spec.out());
        DemoRuns runs = new DemoRuns();
        try (Workspace workspace = Workspace.create("packing-trace-demo")) {
            narrator.accept("starting HDFS: a NameNode and %d DataNodes%s"
                    .formatted(DATA_NODES, spec.pairs() > 0 ? ", and the same for the untraced side" : ""));
            HdfsCluster traced = hdfs(workspace, "traced");
            Optional<HdfsCluster> untraced =
                    spec.pairs() > 0 ? Optional.of(hdfs(workspace, "untraced")) : Optional.empty();
            HdfsWorkload workload = workload(spec, workspace);
            for (int number = 1; number <= spec.tracedRuns(); number++) {
                // Only the first trace is kept; every one is checked.
                Path directory =
                        number == 1 ? trace(spec) : workspace.directory().resolve("trace-" + number);
                String name = "run-" + number;
                Sides.Start withTrace =
                        () -> workload.start(traced, name + "-traced", Optional.of(Tracing.into(directory)));
                Optional<Sides.Start> without =
                        untraced.map(hdfs -> () -> workload.start(hdfs, name + "-untraced", Optional.empty()));
                new Sides(withTrace, without, spec.rounds(), spec.turns()).run(runs);
                runs.addCheck(check(traced, directory));
                traced.clear();
                if (untraced.isPresent()) {
                    untraced.get().clear();
                }
            }
        }
        return runs;
    }

    private HdfsCluster hdfs(Workspace workspace, String side) throws IOException, InterruptedException {
        return workspace.own(HdfsCluster.start(setup(workspace, side), DATA_NODES));
    }

    private Setup setup(Workspace workspace, String part) {
        return new Setup(checkout.hbaseLib(), workspace.directory().resolve(part));
    }

    /** A trace is never mixed with an older one. */
    private static void prepare(Path out) throws IOException {
        Files.createDirectories(out);
        try (Stream<Path> there = Files.list(out)) {
            if (there.findAny().isPresent()) {
                throw new IllegalArgumentException("--out: %s is not empty; name a new directory".formatted(out));
            }
        }
    }

    private HdfsWorkload workload(DemoSpec spec, Workspace workspace) throws IOException, InterruptedException {
        return switch (spec.kind()) {
            case HBASE -> {
                narrator.accept("starting ZooKeeper");
                ZooKeeper zooKeeper = workspace.own(ZooKeeper.start(setup(workspace, "zookeeper")));
                yield new HBaseWorkload(zooKeeper, spec.turn(), spec.warmUp(), spec.regionServers(), narrator);
            }
            case MAPREDUCE -> new MapReduceWorkload(spec.turn().operations(), narrator, clock);
        };
    }

    private Completeness check(HdfsCluster hdfs, Path directory) throws IOException, InterruptedException {
        narrator.accept("comparing the trace with the NameNode's files");
        FileLengths files = hdfs.files();
        try (TraceFiles trace = TraceFiles.open(List.of(directory))) {
            return Reconstruction.of(trace).compare(files);
        }
    }

    /**
     * Analyzes the trace of a demonstration (§3.3).
     *
     * @return the report
     */
    public Path analyze(DemoSpec spec) throws IOException, InterruptedException {
        Rules rules = Rules.from(ConfigFactory.parseFile(rules(spec).toFile()));
        String scratch = spec.out().toUri().toString();
        int tasks = Runtime.getRuntime().availableProcessors();
        Findings findings = new Analysis(rules, List.of(trace(spec).toString()), scratch, Optional.empty(), tasks)
                .run((number, of, what) -> narrator.accept("analysis, job %d of %d: %s".formatted(number, of, what)));
        return AnalysisReport.write(findings, spec.out().resolve("report"));
    }

    private Path rules(DemoSpec spec) {
        return checkout.home()
                .traceRules(
                        switch (spec.kind()) {
                            case HBASE -> "hbase";
                            case MAPREDUCE -> "mapreduce";
                        });
    }
}
