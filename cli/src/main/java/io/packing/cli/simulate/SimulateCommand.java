// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.simulate;

import io.packing.cli.launch.Home;
import io.packing.cli.launch.JsonResults;
import io.packing.cli.launch.Narrator;
import io.packing.sim.experiment.ClaimCheck;
import io.packing.sim.experiment.Experiment;
import io.packing.sim.experiment.ExperimentReport;
import io.packing.sim.experiment.ReportPage;
import io.packing.sim.experiment.Setting;
import io.packing.sim.experiment.Sweep;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs simulations that files describe. */
@Command(
        name = "simulate",
        description = {
            "Runs experiments of the storage simulator: each prints its table and leaves it with its plots "
                    + "in --out.",
            "A stopped sweep goes on with the same --out. An experiment that fails does not stop the others (exit "
                    + "code 1)."
        })
public final class SimulateCommand implements Callable<Integer> {
    private static final String ALL = "all";

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "Experiments, such as conf/simulator/fig-3.10.conf, or 'all' for those of conf/simulator, "
                    + "the default of --check.")
    private List<String> files = List.of();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "Where tables and plots go. Required, but for --check, which keeps its simulations there if it is given.")
    private Optional<Path> out = Optional.empty();

    @Option(
            names = "--check",
            description =
                    "Checks what the experiments claim of the papers, each with 1,000,000 events of a synthetic trace: runs the "
                            + "simulations that claims read, and writes no tables and plots. "
                            + "Ends with 1 if a claim fails: if the simulation leaves the claim's tolerance, or, where it is known to differ "
                            + "from the paper, the known number.")
    private boolean check;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Simulations that run at once (default: one on each core).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description =
                    "Sets a parameter of the trace, such as events=20000000 or files=[a.htfs,b.htfs], or of a cache "
                            + "alone, such as csv.object=id. What none of the experiments reads is refused. May be repeated.")
    private List<String> set = List.of();

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "Runs everything on N synthetic traces; tables have the median and the range (default: 1).")
    private int seeds = 1;

    @Option(names = "--quiet", description = "Say nothing on standard error meanwhile.")
    private boolean quiet;

    @Option(names = "--json", description = "Print one JSON value instead of text: what each experiment found.")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (check) {
            return checkClaims();
        }
        if (files.isEmpty() || out.isEmpty()) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "simulate: name a FILE, or 'all', and --out DIR; or give --check");
        }
        return run(out.get());
    }

    private List<Setting> settings() {
        return set.stream().map(Setting::parse).flatMap(List::stream).toList();
    }

    private Sweep sweep(Path directory) {
        return new Sweep(
                directory.resolve("points"), threads, Runtime.getRuntime().maxMemory());
    }

    private int checkClaims() throws IOException, InterruptedException {
        Path directory = out.isPresent() ? out.get() : Files.createTempDirectory("packing-check");
        try {
            Sweep sweep = sweep(directory);
            List<List<Experiment>> experiments = Experiment.readForCheck(experimentFiles(), settings(), seeds);
            List<Experiment> all = experiments.stream().flatMap(List::stream).toList();
            for (Experiment experiment : all) {
                sweep.check(experiment);
            }
            ClaimCheck checked;
            try (SweepProgress progress = new SweepProgress(
                    new Narrator(quiet || json), sweep.expectedEventsOfClaims(all), System::nanoTime)) {
                checked = ClaimCheck.run(experiments, sweep, progress);
            }
            PrintWriter to = spec.commandLine().getOut();
            to.print(json ? JsonResults.indented().writeValueAsString(checked.json()) + "\n" : checked.text());
            to.flush();
            return checked.failed() == 0 ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        } finally {
            if (out.isEmpty()) {
                try (Stream<Path> kept = Files.walk(directory)) {
                    for (Path each : kept.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(each);
                    }
                }
            }
        }
    }

    private int run(Path out) throws IOException, InterruptedException {
        System.setProperty("java.awt.headless", "true");
        List<List<Experiment>> experiments = Experiment.read(experimentFiles(), settings(), seeds);
        PrintWriter to = spec.commandLine().getOut();
        Sweep sweep = sweep(out);
        List<Experiment> all = experiments.stream().flatMap(List::stream).toList();
        for (Experiment experiment : all) {
            sweep.check(experiment);
        }
        List<ExperimentReport> reports = new ArrayList<>();
        Map<String, String> failed = new LinkedHashMap<>();
        try (SweepProgress progress =
                new SweepProgress(new Narrator(quiet || json), sweep.expectedEvents(all), System::nanoTime)) {
            for (List<Experiment> experiment : experiments) {
                try {
                    reports.add(ExperimentReport.make(experiment, sweep, out, progress));
                    if (!json) {
                        to.println(reports.get(reports.size() - 1).text());
                    }
                } catch (IOException | RuntimeException e) {
                    // One figure that fails must not cost those behind it.
                    failed.put(experiment.get(0).name(), String.valueOf(e.getMessage()));
                }
                to.flush();
            }
        }
        ReportPage.write(reports, failed, out.resolve("report.html"));
        if (json) {
            to.println(JsonResults.indented()
                    .writeValueAsString(
                            reports.stream().map(ExperimentReport::json).toList()));
        } else {
            to.println("Report: " + out.resolve("report.html"));
        }
        to.flush();
        failed.forEach(
                (name, why) -> spec.commandLine().getErr().println("packing: %s failed: %s".formatted(name, why)));
        spec.commandLine().getErr().flush();
        return failed.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private List<Path> experimentFiles() throws IOException {
        if (!files.isEmpty() && !files.equals(List.of(ALL))) {
            return files.stream().map(Path::of).toList();
        }
        try (Stream<Path> all = Files.list(Home.find().root().resolve("conf/simulator"))) {
            return all.filter(file -> file.toString().endsWith(".conf"))
                    .sorted()
                    .toList();
        }
    }
}
