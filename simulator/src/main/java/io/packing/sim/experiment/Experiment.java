package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * An experiment as a file describes it: trace and stack or a cache alone, sweep, outputs.
 *
 * @param name the file's, without its ending
 * @param source where the paper has it
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
        List<Claim> claims) {
    private static final Pattern SIZE = Pattern.compile("[0-9.]+( [KMGT]?i?B)?");
    private static final List<String> NAMES = List.of(
            "title", "source", "model", "trace", "stack", "cache", "sweep", "columns", "baseline", "plots", "claims");

    public Experiment {
        axes = List.copyOf(axes);
        points = List.copyOf(points);
        columns = List.copyOf(columns);
        plots = List.copyOf(plots);
        claims = List.copyOf(claims);
    }

    /**
     * Reads an experiment and checks every point of its sweep.
     *
     * @param trace what to change in its trace; below {@code cache} what to change in a cache alone
     * @throws IllegalArgumentException naming the file and what is wrong in it
     */
    public static Experiment read(Path file, Config trace) {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("no experiment '%s'".formatted(file));
        }
        try {
            var name = String.valueOf(file.getFileName()).replaceFirst("\\.conf$", "");
            return read(name, ConfigFactory.parseFile(file.toFile()).resolve(), trace);
        } catch (ConfigException | IllegalArgumentException e) {
            throw new IllegalArgumentException("%s: %s".formatted(file, e.getMessage()), e);
        }
    }

    /**
     * The same experiment on several synthetic traces.
     *
     * @param seeds how many, from {@code trace}'s seed upwards
     * @throws IllegalArgumentException as for a single one, and for recorded traces, which have no seed
     */
    public static List<Experiment> read(Path file, Config trace, int seeds) {
        if (seeds < 1) {
            throw new IllegalArgumentException("1 seed at least, not " + seeds);
        }
        if (seeds == 1) {
            return List.of(read(file, trace));
        }
        if (trace.hasPath("files") || trace.hasPath("cache.files")) {
            throw new IllegalArgumentException("recorded traces have no seed, so there are no %d".formatted(seeds));
        }
        var first = trace.hasPath("seed") ? trace.getLong("seed") : 1;
        return LongStream.range(first, first + seeds)
                .mapToObj(ConfigValueFactory::fromAnyRef)
                .map(seed -> read(file, trace.withValue("seed", seed).withValue("cache.zipf.seed", seed)))
                .toList();
    }

    static Experiment read(String name, Config c, Config trace) {
        Names.only(c, name, NAMES);
        var axes = c.hasPath("sweep")
                ? c.getConfigList("sweep").stream().map(Axis::from).toList()
                : List.<Axis>of();
        var points = new ArrayList<Point>();
        expand(axes, 0, new LinkedHashMap<>(), ConfigFactory.empty(), tasks(c, trace), points);
        var experiment = new Experiment(
                name,
                c.getString("title"),
                c.getString("source"),
                axes,
                points,
                c.getStringList("columns"),
                c.hasPath("baseline") ? Optional.of(Names.selector(c.getConfig("baseline"))) : Optional.empty(),
                list(c, "plots").stream().map(PlotSpec::from).toList(),
                list(c, "claims").stream().map(Claim::from).toList());
        experiment.checkOutputs(points.get(0).task().metrics());
        return experiment;
    }

    /** Requires that all that is to be printed, drawn and compared will be there, before anything is simulated. */
    private void checkOutputs(Set<String> metrics) {
        columns.forEach(column -> known("columns", column, metrics));
        var names = axes.stream().map(Axis::name).collect(Collectors.toCollection(TreeSet::new));
        for (var plot : plots) {
            plot.y().forEach(metric -> known("plots.y", metric, metrics));
            plot.series().forEach(axis -> known("plots.series", axis, names));
            if (!plot.x().isEmpty()) {
                known("plots.x", plot.x(), plot.kind() == PlotSpec.Kind.PARETO ? metrics : names);
            }
        }
        baseline.ifPresent(selector -> one("baseline", selector));
        for (var claim : claims) {
            known("claims.metric", claim.metric(), metrics);
            one("claims.of", claim.of());
            if (claim.as() != Claim.Kind.VALUE) {
                one("claims.against", claim.against());
            }
        }
    }

    /** A point's value on an axis, with the axis' title behind numbers and sizes: "10 disks", "60 GB flash", but "promote". */
    String inWords(String axis, Point point) {
        var label = String.valueOf(point.labels().get(axis));
        return axes.stream()
                .filter(a -> a.name().equals(axis) && SIZE.matcher(label).matches())
                .map(a -> label + " " + a.title())
                .findFirst()
                .orElse(label);
    }

    private static void known(String where, String name, Set<String> names) {
        if (!names.contains(name) && !name.startsWith("trace-")) {
            throw new IllegalArgumentException("%s: no '%s'; there are %s".formatted(where, name, names));
        }
    }

    private void one(String where, Map<String, String> selector) {
        var found = points.stream().filter(point -> point.is(selector)).count();
        if (found != 1) {
            throw new IllegalArgumentException("%s: %d points are %s, not one; axes and their values are %s"
                    .formatted(
                            where,
                            found,
                            selector,
                            axes.stream()
                                    .map(axis -> axis.name()
                                            + axis.values().stream()
                                                    .map(Axis.Value::label)
                                                    .toList())
                                    .toList()));
        }
    }

    private static Config section(Config c, String name) {
        return c.hasPath(name) ? c.getConfig(name) : ConfigFactory.empty();
    }

    private static List<? extends Config> list(Config c, String name) {
        return c.hasPath(name) ? c.getConfigList(name) : List.of();
    }

    /** What the changes that a point makes are made to. */
    private static Function<Config, Task> tasks(Config c, Config trace) {
        if (c.hasPath("cache")) {
            if (c.hasPath("trace") || c.hasPath("stack")) {
                throw new IllegalArgumentException("a cache alone has neither 'trace' nor 'stack', but 'cache'");
            }
            var cache = section(trace, "cache").withFallback(section(c, "cache"));
            return changes -> new CacheTask(changes.withFallback(cache));
        }
        var spec = new TraceSpec(trace.withoutPath("cache").withFallback(section(c, "trace")));
        var stack = section(c, "stack");
        var packing = packing(c);
        return changes -> {
            var traced = changes.hasPath("trace") ? spec.with(changes.getConfig("trace")) : spec;
            var changed = changes.withoutPath("trace").withFallback(stack);
            return packing ? new PackTask(traced, changed) : new StackTask(traced, changed);
        };
    }

    /** Whether the stack is the packing layer instead of HBase's. */
    private static boolean packing(Config c) {
        var model = c.hasPath("model") ? c.getString("model") : "layers";
        if (!List.of("layers", "packing").contains(model)) {
            throw new IllegalArgumentException("model: no '%s'; there are layers and packing".formatted(model));
        }
        return model.equals("packing");
    }

    private static void expand(
            List<Axis> axes,
            int at,
            Map<String, String> labels,
            Config changes,
            Function<Config, Task> tasks,
            List<Point> points) {
        if (at == axes.size()) {
            points.add(new Point(labels, tasks.apply(changes)));
            return;
        }
        var axis = axes.get(at);
        for (var value : axis.values()) {
            var more = new LinkedHashMap<>(labels);
            more.put(axis.name(), value.label());
            expand(axes, at + 1, more, value.changes().withFallback(changes), tasks, points);
        }
    }
}
