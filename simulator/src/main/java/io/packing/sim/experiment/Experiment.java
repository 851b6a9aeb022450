// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import io.packing.options.Nearest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An experiment as a file describes it: trace and stack or a cache alone, sweep, outputs.
 *
 * @param name of the file without its ending
 * @param source place in the paper
 * @param columns metrics of the table
 * @param baseline the point that the table's other rows are compared with, in percent; absent: plain numbers
 */
public record Experiment(
        String name,
        String title,
        String source,
        List<Axis> axes,
        List<Point> points,
        List<String> columns,
        Optional<Map<String, String>> baseline,
        List<PlotSpec> plots,
        List<PaperClaim> claims) {
    private static final Pattern SIZE = Pattern.compile("[0-9.]+( [KMGT]?i?B)?");

    public Experiment {
        axes = List.copyOf(axes);
        points = List.copyOf(points);
        columns = List.copyOf(columns);
        plots = List.copyOf(plots);
        claims = List.copyOf(claims);
    }

    /**
     * Reads experiments that run together, and checks every point of their sweeps. A setting counts in every experiment
     * that reads it.
     *
     * @param seeds number of runs of each experiment, from its seed upwards
     * @return for each file the experiment, once for each seed
     * @throws IllegalArgumentException naming the file and its mistake, or the setting that no experiment reads
     */
    public static List<List<Experiment>> read(List<Path> files, List<Setting> settings, int seeds) {
        if (seeds < 1) {
            throw new IllegalArgumentException("1 seed at least, not " + seeds);
        }
        Map<Setting, Set<String>> refused = new LinkedHashMap<>();
        Set<Setting> read = new HashSet<>();
        List<List<Experiment>> experiments = new ArrayList<>();
        for (Path file : files) {
            Description description = Description.read(file, settings);
            read.addAll(description.settings());
            description
                    .refused()
                    .forEach((setting, why) -> refused.computeIfAbsent(setting, s -> new LinkedHashSet<>())
                            .add(why));
            experiments.add(Description.in(file.toString(), () -> description.experiments(seeds)));
        }
        refused.keySet().removeAll(read);
        refused.forEach((setting, why) -> {
            throw new IllegalArgumentException("--set %s: %s".formatted(setting.text(), String.join("; ", why)));
        });
        return experiments;
    }

    /** Makes the experiment of a description, with a model that may have another seed. */
    static Experiment of(Description description, ExperimentModel model) {
        Config c = description.config();
        List<Point> points = description.changes().stream()
                .map(changes -> new Point(changes.labels(), model.task(changes.config())))
                .toList();
        Experiment experiment = new Experiment(
                description.name(),
                c.getString("title"),
                c.getString("source"),
                description.axes(),
                points,
                c.getStringList("columns"),
                c.hasPath("baseline") ? Optional.of(NameChecks.selector(c.getConfig("baseline"))) : Optional.empty(),
                list(c, "plots").stream().map(PlotSpec::from).toList(),
                list(c, "claims").stream().map(PaperClaim::from).toList());
        experiment.checkOutputs(experiment.points().get(0).task().metrics());
        return experiment;
    }

    /**
     * Requires that the run will have all metrics and axes that tables, plots and claims name, before a simulation
     * starts.
     */
    private void checkOutputs(Set<String> metrics) {
        columns.forEach(column -> known("columns", column, metrics));
        TreeSet<String> names = axes.stream().map(Axis::name).collect(Collectors.toCollection(TreeSet::new));
        for (PlotSpec plot : plots) {
            plot.y().forEach(metric -> known("plots.y", metric, metrics));
            plot.series().forEach(axis -> known("plots.series", axis, names));
            if (!plot.x().isEmpty()) {
                known("plots.x", plot.x(), plot.kind() == PlotSpec.Kind.PARETO ? metrics : names);
            }
            if (points.stream().noneMatch(point -> point.is(plot.only()))) {
                throw new IllegalArgumentException(
                        "plots.only: no point is %s; axes and their values are %s".formatted(plot.only(), labels()));
            }
        }
        baseline.ifPresent(selector -> one("baseline", selector));
        for (PaperClaim claim : claims) {
            known("claims.metric", claim.metric(), metrics);
            one("claims.of", claim.of());
            if (claim.as() != PaperClaim.Kind.VALUE) {
                one("claims.against", claim.against());
            }
        }
    }

    /**
     * Returns a point's value on an axis. The axis' title follows numbers and sizes: "10 disks", "60 GB flash", but
     * "promote".
     */
    String inWords(String axis, Point point) {
        String label = String.valueOf(point.labels().get(axis));
        return axes.stream()
                .filter(a -> a.name().equals(axis) && SIZE.matcher(label).matches())
                .map(a -> label + " " + a.title())
                .findFirst()
                .orElse(label);
    }

    private static void known(String where, String name, Set<String> names) {
        if (!names.contains(name)) {
            throw new IllegalArgumentException("%s: no '%s'; the nearest are %s; there are %s"
                    .formatted(where, name, Nearest.namesTo(name, names), new TreeSet<>(names)));
        }
    }

    private void one(String where, Map<String, String> selector) {
        long found = points.stream().filter(point -> point.is(selector)).count();
        if (found != 1) {
            throw new IllegalArgumentException("%s: %d points are %s, not one; axes and their values are %s"
                    .formatted(where, found, selector, labels()));
        }
    }

    private List<String> labels() {
        return axes.stream()
                .map(axis -> axis.name()
                        + axis.values().stream().map(Axis.Value::label).toList())
                .toList();
    }

    private static List<? extends Config> list(Config c, String name) {
        return c.hasPath(name) ? c.getConfigList(name) : List.of();
    }
}
