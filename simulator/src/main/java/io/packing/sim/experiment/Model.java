package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import io.packing.sim.KnownNames;
import java.util.List;
import java.util.Optional;

/** What an experiment simulates: the parameters that its points start from, and what runs with them. */
sealed interface Model permits CacheModel, DesktopModel, RegistryModel, StackModel, SubtreesModel {
    /**
     * The model that an experiment's file describes.
     *
     * @throws IllegalArgumentException naming what the model does not know
     */
    static Model of(Config c) {
        if (c.hasPath("cache")) {
            for (String other : List.of("trace", "stack", "model")) {
                if (c.hasPath(other)) {
                    throw new IllegalArgumentException(
                            "a cache alone has neither 'trace' nor 'stack' nor 'model', but 'cache'");
                }
            }
            return new CacheModel(c.getConfig("cache"));
        }
        for (String alone : List.of("desktop", "registry", "registry-nodes", "subtrees")) {
            if (c.hasPath(alone)) {
                for (String other : List.of("trace", "stack", "model")) {
                    if (c.hasPath(other)) {
                        throw new IllegalArgumentException(
                                "a %s has neither 'trace' nor 'stack' nor 'model'".formatted(alone));
                    }
                }
                Config section = c.getConfig(alone);
                return switch (alone) {
                    case "desktop" -> new DesktopModel(section);
                    case "subtrees" -> new SubtreesModel(section);
                    case "registry" -> new RegistryModel(section, RegistryTask.NAMES, RegistryTask::new);
                    default -> new RegistryModel(section, RegistryNodesTask.NAMES, RegistryNodesTask::new);
                };
            }
        }
        String model = c.hasPath("model") ? c.getString("model") : "layers";
        if (!List.of("layers", "packing").contains(model)) {
            throw new IllegalArgumentException("model: no '%s'; there are layers and packing".formatted(model));
        }
        return new StackModel(model.equals("packing"), section(c, "trace"), section(c, "stack"));
    }

    static Config section(Config c, String name) {
        return c.hasPath(name) ? c.getConfig(name) : ConfigFactory.empty();
    }

    /** The section of the experiment that the command line changes, and its parameters. */
    KnownNames names();

    /**
     * Requires that all that a value of a sweep changes is known.
     *
     * @throws IllegalArgumentException naming what is not
     */
    void check(Config changes);

    /**
     * Why a point does not read a parameter of the section; empty when it does.
     *
     * @param changes that the sweep makes at this point
     */
    Optional<String> unread(Config changes, String name);

    /** The same with other values in the section that the command line changes. */
    Model with(Config values);

    /**
     * The same with other random numbers.
     *
     * @param more how much larger the seed is
     * @throws IllegalArgumentException when nothing of it is random
     */
    Model reseeded(long more);

    /** What runs at a point. */
    Task task(Config changes);

    /** A section with a larger seed. */
    static Config larger(Config section, Config defaults, String seed, long more) {
        long first = section.withFallback(defaults).getLong(seed);
        return section.withValue(seed, ConfigValueFactory.fromAnyRef(first + more));
    }
}
