// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.packing.pages.Plot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An experiment's output directory: table, CSV, JSON and plots. */
public final class ExperimentReport {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final List<Experiment> seeds;
    private final Results results;
    private final Path directory;

    private ExperimentReport(List<Experiment> seeds, Results results, Path directory) {
        this.seeds = List.copyOf(seeds);
        this.results = results;
        this.directory = directory;
    }

    /**
     * Runs the missing points of an experiment, and writes its outputs below {@code out}.
     *
     * @param seeds the experiment, once for each seed
     */
    public static ExperimentReport make(List<Experiment> seeds, Sweep sweep, Path out, SweepListener listener)
            throws IOException, InterruptedException {
        ExperimentReport report = new ExperimentReport(
                seeds, sweep.run(seeds, listener), out.resolve(seeds.get(0).name()));
        report.write();
        return report;
    }

    List<List<String>> rows() {
        return results.experiment().baseline().map(results::differences).orElseGet(results::table);
    }

    /** Returns the table and, below it, the verdicts on the paper's figures. */
    public String text() {
        Experiment experiment = results.experiment();
        String text =
                "%s (%s)%n%s%n%n%s".formatted(experiment.title(), experiment.source(), input(), Tables.text(rows()));
        return experiment.claims().isEmpty() ? text : text + "\n" + Tables.text(claims());
    }

    /** Returns the input: the played part of a trace, and the seeds. */
    String input() {
        return Inputs.text(seeds);
    }

    List<List<String>> claims() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("the paper says", "kind", "paper", "simulated", "outcome"));
        for (PaperClaim.Outcome outcome : results.outcomes()) {
            rows.add(List.of(
                    outcome.claim().says(),
                    outcome.claim().kind().label(),
                    NumberText.text(outcome.claim().paper().figure()),
                    outcome.found().text(seeds.size() > 1 ? 0 : outcome.chance()),
                    outcome.verdict()));
        }
        return rows;
    }

    private void write() throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("table.txt"), text());
        Files.writeString(directory.resolve("table.csv"), Tables.csv(rows()));
        if (!results.experiment().claims().isEmpty()) {
            Files.writeString(directory.resolve("claims.csv"), Tables.csv(claims()));
        }
        Files.write(directory.resolve("results.json"), JSON.writeValueAsBytes(points()));
        int number = 0;
        for (PlotSpec plot : results.experiment().plots()) {
            Plots.draw(plot, results, directory.resolve("plot-" + ++number));
        }
    }

    /**
     * Returns the results as a JSON value: {@code name}, {@code title}, {@code points} as in {@code results.json}, and
     * {@code claims}.
     */
    public Map<String, Object> json() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("name", results.experiment().name());
        all.put("title", results.experiment().title());
        all.put("directory", directory.toString());
        all.put("points", points());
        List<Object> found = new ArrayList<>();
        for (PaperClaim.Outcome outcome : results.outcomes()) {
            found.add(Map.of(
                    "says",
                    outcome.claim().says(),
                    "kind",
                    outcome.claim().kind().label(),
                    "verdict",
                    outcome.verdict()));
        }
        all.put("claims", found);
        return all;
    }

    private List<Object> points() {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < results.experiment().points().size(); i++) {
            Map<String, Object> point = new LinkedHashMap<>();
            Map<String, String> labels = new LinkedHashMap<>();
            Point of = results.experiment().points().get(i);
            for (Axis axis : results.experiment().axes()) {
                labels.put(axis.name(), String.valueOf(of.labels().get(axis.name())));
            }
            point.put("point", labels);
            point.put("input", of.task().input().text());
            int at = i;
            List<Map<String, Double>> seeds =
                    results.seeds().stream().map(runs -> runs.get(at).metrics()).toList();
            if (seeds.size() == 1) {
                point.put("metrics", seeds.get(0));
            } else {
                point.put("metrics-of-seeds", seeds);
            }
            all.add(point);
        }
        return all;
    }

    Experiment experiment() {
        return results.experiment();
    }

    /** Draws a plot for the page, numbered from 1. */
    Plot plot(int number) throws IOException {
        return Plots.onPage(
                results.experiment().plots().get(number - 1),
                results,
                "%s-%d".formatted(results.experiment().name(), number));
    }

    /** Returns the name of the experiment's directory, which is beside the page. */
    String directoryName() {
        return String.valueOf(directory.getFileName());
    }

    long reproduced() {
        return results.outcomes().stream()
                .filter(outcome -> outcome.verdict().equals("reproduced"))
                .count();
    }
}
