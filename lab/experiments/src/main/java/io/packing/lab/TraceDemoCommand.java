// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.cli.ExitCodes;
import io.packing.cli.Report;
import io.packing.cli.SummaryOfTrace;
import io.packing.cli.launch.Narrator;
import io.packing.hbase.check.Completeness;
import io.packing.hbase.load.YcsbLoad;
import io.packing.lab.compare.Median;
import io.packing.lab.messages.DemoRuns;
import io.packing.lab.messages.DemoSpec;
import io.packing.lab.messages.TraceDemo;
import io.packing.rig.Checkout;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows tracing on real servers, on this machine. */
@Command(
        name = "trace",
        description = {
            "Starts a real HDFS and HBase on this machine, traced by configuration alone, drives a load "
                    + "like that of Facebook Messages through YCSB, compares the trace with the NameNode's files, and "
                    + "analyzes it.",
            "Runs the same untraced, too, and tells what tracing costs."
        })
final class TraceDemoCommand implements Callable<Integer> {
    private static final int SHOWN_DIFFERENCES = 10;

    @Option(
            names = "--workload",
            defaultValue = "hbase",
            description = "${COMPLETION-CANDIDATES}: HBase, or TeraGen, TeraSort and TeraValidate (default: hbase).")
    private DemoSpec.Kind workload = DemoSpec.Kind.HBASE;

    @Option(
            names = "--records",
            defaultValue = "4000",
            description = "HBase: users, each a row in eight column families (default: ${DEFAULT-VALUE}).")
    private int records;

    @Option(
            names = "--operations",
            defaultValue = "60000",
            description =
                    "HBase: gets, puts and deletes of a round, 60 to 34 to 6. MapReduce: rows of 100 bytes (default: ${DEFAULT-VALUE}).")
    private int operations;

    @Option(
            names = "--warm-up",
            paramLabel = "OPERATIONS",
            defaultValue = "0",
            description = "HBase: operations before those that are timed (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--clients", defaultValue = "8", description = "Concurrent clients (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = "--region-servers",
            defaultValue = "1",
            description = "HBase's RegionServers, 1 to 4 (default: ${DEFAULT-VALUE}).")
    private int regionServers;

    @Option(
            names = "--runs",
            defaultValue = "1",
            description = "Traced runs with an untraced one beside each; the overhead is by the median of all rounds' "
                    + "ratios. 0: one traced run alone, and no overhead (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Option(
            names = "--rounds",
            defaultValue = "1",
            description =
                    "HBase: how often each run does its operations; in a round traced and untraced take four turns "
                            + "each (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--seed", defaultValue = "42", description = "The load depends on it (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "A new directory for the trace and its report (default: one in the temporary directory).")
    private Optional<Path> out = Optional.empty();

    @Mixin
    private Report report = new Report();

    @Override
    public Integer call() throws IOException, InterruptedException {
        YcsbLoad load = new YcsbLoad(records, operations, clients, seed);
        Checkout checkout = Checkout.find();
        Path directory = out.isPresent() ? out.get() : Files.createTempDirectory("packing-trace-");
        DemoSpec spec = new DemoSpec(workload, load, warmUp, regionServers, runs, rounds, directory);
        TraceDemo demo = new TraceDemo(checkout, new Narrator(report.isJson()), Clock.systemUTC());
        DemoRuns done = demo.run(spec);
        Path html = demo.analyze(spec);
        SummaryOfTrace summary = SummaryOfTrace.read(List.of(TraceDemo.trace(spec)));
        report.print(json(summary, done, html), text -> print(text, summary, done, html));
        return done.isClean() && summary.read().dropped() == 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }

    static Map<String, Object> json(SummaryOfTrace summary, DemoRuns runs, Path html) {
        Map<String, Object> json = new LinkedHashMap<>();
        for (String key : List.of("events", "dropped", "bytes", "bytes_per_event", "calls", "files")) {
            json.put(key, summary.json().get(key));
        }
        OptionalDouble overhead = runs.overhead();
        json.put("overhead", overhead.isPresent() ? overhead.getAsDouble() : null);
        json.put("report", html.toAbsolutePath().toString());
        json.put("throughput", Map.of("traced", runs.traced(), "untraced", runs.untraced()));
        json.put("ratios", runs.ratios());
        json.put("processor_time_ratios", runs.cpuRatios());
        json.put("failed_operations", runs.failures());
        json.put("complete", runs.isClean());
        json.put("checks", runs.checks());
        return json;
    }

    private static void print(PrintWriter text, SummaryOfTrace summary, DemoRuns runs, Path html) {
        summary.print(text);
        text.println();
        for (Completeness check : runs.checks()) {
            text.println(check.summary());
            check.differences().stream().limit(SHOWN_DIFFERENCES).forEach(text::println);
        }
        text.printf(Locale.ROOT, "operations per second: traced %s%n", figures(runs.traced()));
        runs.overhead()
                .ifPresent(overhead -> text.printf(
                        Locale.ROOT,
                        "operations per second: not traced %s; tracing costs %.1f percent of the throughput%n",
                        figures(runs.untraced()),
                        100 * overhead));
        if (!runs.cpuRatios().isEmpty()) {
            text.printf(
                    Locale.ROOT,
                    "the traced servers took %.3f times the processor time of the others%n",
                    Median.of(runs.cpuRatios()));
        }
        if (runs.failures() > 0) {
            text.printf(Locale.ROOT, "%,d operations FAILED%n", runs.failures());
        }
        text.println(html.toAbsolutePath());
    }

    private static String figures(List<Double> figures) {
        return String.join(
                " ",
                figures.stream()
                        .map(f -> String.format(Locale.ROOT, "%,.0f", f))
                        .toList());
    }
}
