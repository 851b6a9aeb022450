// SPDX-License-Identifier: Apache-2.0
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
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * An experiment's file with the settings of the command line. All names in it are known.
 *
 * @param name of the file without its ending; messages about a whole file have its path
 * @param changes of the sweep, one for each point
 * @param settings of the command line that the experiment reads
 * @param refused the other settings, with the reasons
 */
record Description(
        String name,
        Config config,
        ExperimentModel model,
        List<Axis> axes,
        List<Changes> changes,
        List<Setting> settings,
        Map<Setting, String> refused) {
    private static final List<String> NAMES = List.of(
            "title",
            "source",
            "model",
            "trace",
            "stack",
            "cache",
            "desktop",
            "registry",
            "registry-nodes",
            "subtrees",
            "sweep",
            "columns",
            "baseline",
            "plots",
            "claims",
            "unclaimed");

    /** The changes of one point of the sweep. */
    record Changes(Map<String, String> labels, Config config) {}

    static Description read(Path file, List<Setting> settings) {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("no experiment '%s'".formatted(file));
        }
        return in(file.toString(), () -> {
            String name = String.valueOf(file.getFileName()).replaceFirst("\\.conf$", "");
            return of(name, ConfigFactory.parseFile(file.toFile()).resolve(), settings);
        });
    }

    /** Runs a reading, and names the file in its errors. */
    static <T> T in(String file, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (ConfigException | IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            throw new IllegalArgumentException(message.startsWith(file) ? message : file + ": " + message, e);
        }
    }

    static Description of(String name, Config c, List<Setting> settings) {
        NameChecks.only(c, name, NAMES);
        ExperimentModel model = ExperimentModel.of(c);
        List<Axis> axes = c.hasPath("sweep")
                ? c.getConfigList("sweep").stream().map(Axis::from).toList()
                : List.<Axis>of();
        if (axes.stream().map(Axis::name).distinct().count() < axes.size()) {
            throw new IllegalArgumentException("sweep: two axes have one name: "
                    + axes.stream().map(Axis::name).toList());
        }
        axes.forEach(axis -> axis.values().forEach(value -> model.check(value.changes())));
        List<Changes> changes = new ArrayList<>();
        expand(axes, new LinkedHashMap<>(), ConfigFactory.empty(), changes);
        Map<Setting, String> refused = new LinkedHashMap<>();
        List<Setting> known = new ArrayList<>();
        for (Setting setting : settings) {
            try {
                model.names().check(setting.in(model.names()));
                known.add(setting);
            } catch (IllegalArgumentException e) {
                refused.put(setting, String.valueOf(e.getMessage()).replace("--set " + setting.text() + ": ", ""));
            }
        }
        // A setting may decide whether another one is read, such as the format of a trace.
        ExperimentModel all = model.with(values(known, model));
        List<Setting> read = new ArrayList<>();
        for (Setting setting : known) {
            unread(all, changes, setting)
                    .ifPresentOrElse(why -> refused.put(setting, name + ": " + why), () -> read.add(setting));
        }
        return new Description(name, c, model.with(values(read, model)), axes, changes, List.copyOf(read), refused);
    }

    private static Optional<String> unread(ExperimentModel model, List<Changes> changes, Setting setting) {
        Optional<String> why = Optional.<String>empty();
        for (Changes point : changes) {
            why = model.unread(point.config(), setting.nameIn(model.names().section()));
            if (why.isEmpty()) {
                return why;
            }
        }
        return why;
    }

    private static Config values(List<Setting> settings, ExperimentModel model) {
        String section = model.names().section();
        TreeMap<String, Setting> byName = new TreeMap<>();
        Config values = ConfigFactory.empty();
        for (Setting setting : settings) {
            if (byName.put(setting.nameIn(section), setting) != null) {
                throw new IllegalArgumentException(
                        "--set %s: %s.%s is set twice".formatted(setting.text(), section, setting.nameIn(section)));
            }
            values = setting.in(model.names()).withFallback(values);
        }
        return values;
    }

    private static void expand(List<Axis> axes, Map<String, String> labels, Config changes, List<Changes> points) {
        if (labels.size() == axes.size()) {
            points.add(new Changes(labels, changes));
            return;
        }
        Axis axis = axes.get(labels.size());
        for (Axis.Value value : axis.values()) {
            Map<String, String> more = new LinkedHashMap<>(labels);
            more.put(axis.name(), value.label());
            expand(axes, more, value.changes().withFallback(changes), points);
        }
    }

    /** Makes one experiment for each seed. */
    List<Experiment> experiments(int seeds) {
        return LongStream.range(0, seeds)
                .mapToObj(more -> Experiment.of(this, more == 0 && seeds == 1 ? model : model.reseeded(more)))
                .toList();
    }
}
