// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
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
import java.util.stream.Stream;

/**
 * An experiment as a file describes it: trace and stack or a cache alone, sweep, outputs.
 *
 * @param name of the file without its ending
 * @param source place in the paper
 * @param columns metrics of the table
 * @param baseline the point that the table's other rows are compared with, in percent; absent: plain numbers
 * @param unclaimed reason why an experiment without claims has none
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
        List<PaperClaim> claims,
        Optional<String> unclaimed) {
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
        return read(files, settings, List.of(), seeds);
    }

    /**
     * Reads experiments for a check of their claims: with {@link ClaimCheck#EVENTS} events, unless the settings or the experiment have
     * a number.
     *
     * @param seeds number of runs of each experiment, from its seed upwards
     */
    public static List<List<Experiment>> readForCheck(List<Path> files, List<Setting> settings, int seeds) {
        boolean sized =
                settings.stream().anyMatch(setting -> setting.nameIn("trace").equals("events"));
        return read(files, settings, sized ? List.of() : Setting.parse("trace.events = " + ClaimCheck.EVENTS), seeds);
    }

    /** @param offered settings that count where they are read; no experiment has to read them */
    private static List<List<Experiment>> read(
            List<Path> files, List<Setting> settings, List<Setting> offered, int seeds) {
        if (seeds < 1) {
            throw new IllegalArgumentException("1 seed at least, not " + seeds);
        }
        List<Setting> all = Stream.concat(settings.stream(), offered.stream()).toList();
        Map<Setting, Set<String>> refused = new LinkedHashMap<>();
        Set<Setting> read = new HashSet<>(offered);
        List<List<Experiment>> experiments = new ArrayList<>();
        for (Path file : files) {
            Description description = Description.read(file, setsEvents(file) ? settings : all);
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

    /** Returns whether an experiment has a number of events of its own, which a check keeps. */
    private static boolean setsEvents(Path file) {
        return Description.in(
                file.toString(),
                () -> ConfigFactory.parseFile(file.toFile()).resolve().hasPath("trace.events"));
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
                list(c, "claims").stream()
                        .map(claim -> PaperClaim.from(claim, c.getString("source")))
                        .toList(),
                c.hasPath("unclaimed") ? Optional.of(c.getString("unclaimed")) : Optional.empty());
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
        baseline.ifPresent(selector -> one("baseline", selector, false));
        for (PaperClaim claim : claims) {
            ClaimRule rule = claim.rule();
            known("claims.metric", rule.metric(), metrics);
            boolean several = rule.each() != ClaimRule.Each.ONE;
            one("claims.of", rule.of(), several);
            if (rule.compares()) {
                one("claims.against", rule.against(), several);
            }
        }
    }

    /** Returns the experiment with only the points that its claims read, and without tables and plots. */
    Experiment ofClaims() {
        List<Point> read = points.stream()
                .filter(point -> claims.stream().anyMatch(claim -> claim.rule().reads(point)))
                .toList();
        return new Experiment(
                name, title, source, axes, read, List.of(), Optional.empty(), List.of(), claims, unclaimed);
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

    private void one(String where, Map<String, String> selector, boolean several) {
        long found = points.stream().filter(point -> point.is(selector)).count();
        if (found == 0 || (found > 1 && !several)) {
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
