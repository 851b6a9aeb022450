package io.packing.sim.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an experiment leaves in its output directory: table, CSV, JSON, plots and a part of the HTML report. */
public final class Report {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final Results results;
    private final Path directory;

    private Report(Results results, Path directory) {
        this.results = results;
        this.directory = directory;
    }

    /**
     * Runs what is missing of an experiment and writes its outputs below {@code out}.
     *
     * @param seeds the experiment, once for each seed
     */
    public static Report make(List<Experiment> seeds, Sweep sweep, Path out, SweepListener listener)
            throws IOException, InterruptedException {
        var report =
                new Report(sweep.run(seeds, listener), out.resolve(seeds.get(0).name()));
        report.write();
        return report;
    }

    private List<List<String>> rows() {
        return results.experiment().baseline().map(results::differences).orElseGet(results::table);
    }

    /** The table and, below it, what becomes of the paper's figures. */
    public String text() {
        var experiment = results.experiment();
        var text = "%s (%s)%n%n%s".formatted(experiment.title(), experiment.source(), Tables.text(rows()));
        return experiment.claims().isEmpty() ? text : text + "\n" + Tables.text(claims());
    }

    private List<List<String>> claims() {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("the paper says", "paper", "simulated", "outcome"));
        for (var outcome : results.outcomes()) {
            rows.add(List.of(
                    outcome.claim().says(),
                    Numbers.text(outcome.claim().expected()),
                    outcome.found().text(),
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
        var number = 0;
        for (var plot : results.experiment().plots()) {
            Plots.draw(plot, results, directory.resolve("plot-" + ++number));
        }
    }

    private List<Object> points() {
        var all = new ArrayList<Object>();
        for (int i = 0; i < results.experiment().points().size(); i++) {
            var point = new LinkedHashMap<String, Object>();
            var labels = new LinkedHashMap<String, String>();
            var of = results.experiment().points().get(i);
            for (var axis : results.experiment().axes()) {
                labels.put(axis.name(), String.valueOf(of.labels().get(axis.name())));
            }
            point.put("point", labels);
            var at = i;
            var seeds =
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

    private String section() throws IOException {
        var experiment = results.experiment();
        var html = new StringBuilder("<h2 id=\"%s\">%s</h2>%n<p>%s · <code>conf/simulator/%s.conf</code></p>%n"
                .formatted(
                        experiment.name(),
                        Tables.escape(experiment.title()),
                        Tables.escape(experiment.source()),
                        experiment.name()));
        for (int i = 1; i <= experiment.plots().size(); i++) {
            var svg = Files.readString(directory.resolve("plot-" + i + ".svg"), StandardCharsets.UTF_8);
            html.append("<figure>").append(svg.substring(svg.indexOf("<svg"))).append("</figure>\n");
        }
        if (!experiment.claims().isEmpty()) {
            html.append(Tables.html(claims()));
        }
        return html.append("<details open><summary>Table</summary>\n")
                .append(Tables.html(rows()))
                .append("</details>\n")
                .toString();
    }

    /**
     * Writes one page that needs no other file.
     *
     * @param failed experiments that have no report, and why
     */
    public static void writePage(List<Report> reports, Map<String, String> failed, Path file) throws IOException {
        var html = new StringBuilder("""
                <!DOCTYPE html>
                <html lang="en"><head><meta charset="utf-8"><title>packing simulate</title>
                <style>
                body { font: 15px/1.5 sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
                table { border-collapse: collapse; font-size: 13px; margin: 1rem 0; display: block; overflow-x: auto; }
                th, td { border: 1px solid #ccc; padding: .2rem .5rem; text-align: right; }
                th:first-child, td:first-child { text-align: left; }
                figure { margin: 1rem 0; } svg { max-width: 100%; height: auto; }
                </style></head><body>
                <h1>Simulated storage stacks</h1>
                <ul>
                """);
        for (var report : reports) {
            var experiment = report.results.experiment();
            html.append("<li><a href=\"#%s\">%s</a></li>%n"
                    .formatted(
                            experiment.name(), Tables.escape(experiment.title() + " (" + experiment.source() + ")")));
        }
        failed.forEach((name, why) ->
                html.append("<li><b>%s failed:</b> %s</li>%n".formatted(Tables.escape(name), Tables.escape(why))));
        html.append("</ul>\n");
        for (var report : reports) {
            html.append(report.section());
        }
        Files.writeString(file, html.append("</body></html>\n").toString());
    }
}
