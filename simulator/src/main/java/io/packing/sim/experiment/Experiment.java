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

/**
 * An experiment as a file describes it: trace, stack, sweep, outputs.
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
            List.of("title", "source", "model", "trace", "stack", "sweep", "columns", "baseline", "plots", "claims");

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
     * @param trace what to change in its trace
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
        var spec = new TraceSpec(trace.withFallback(section(c, "trace")));
        var model = Model.of(c.hasPath("model") ? c.getString("model") : "layers");
        var points = new ArrayList<Point>();
        expand(axes, 0, new LinkedHashMap<>(), model, spec, section(c, "stack"), points);
        for (var point : points) {
            model.check(point.stack());
        }
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

    private static void expand(
            List<Axis> axes,
            int at,
            Map<String, String> labels,
            Model model,
            TraceSpec trace,
            Config stack,
            List<Point> points) {
        if (at == axes.size()) {
            points.add(new Point(labels, model, trace, stack));
            return;
        }
        var axis = axes.get(at);
        for (var value : axis.values()) {
            var more = new LinkedHashMap<>(labels);
            more.put(axis.name(), value.label());
            var changes = value.changes();
            var changed = changes.withoutPath("trace").withFallback(stack);
            var traced = changes.hasPath("trace") ? trace.with(changes.getConfig("trace")) : trace;
            expand(axes, at + 1, more, model, traced, changed, points);
        }
    }
}
