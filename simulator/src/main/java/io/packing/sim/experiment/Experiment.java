package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

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
    private static final List<String> NAMES =
            List.of("title", "source", "trace", "stack", "cache", "sweep", "columns", "baseline", "plots", "claims");

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

    static Experiment read(String name, Config c, Config trace) {
        Names.only(c, name, NAMES);
        var axes = c.hasPath("sweep")
                ? c.getConfigList("sweep").stream().map(Axis::from).toList()
                : List.<Axis>of();
        var points = new ArrayList<Point>();
        expand(axes, 0, new LinkedHashMap<>(), ConfigFactory.empty(), tasks(c, trace), points);
        return new Experiment(
                name,
                c.getString("title"),
                c.getString("source"),
                axes,
                points,
                c.getStringList("columns"),
                c.hasPath("baseline") ? Optional.of(Names.selector(c.getConfig("baseline"))) : Optional.empty(),
                list(c, "plots").stream().map(PlotSpec::from).toList(),
                list(c, "claims").stream().map(Claim::from).toList());
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
        return changes -> new StackTask(
                changes.hasPath("trace") ? spec.with(changes.getConfig("trace")) : spec,
                changes.withoutPath("trace").withFallback(stack));
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
