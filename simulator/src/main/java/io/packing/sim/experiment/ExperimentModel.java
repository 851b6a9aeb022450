// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import io.packing.sim.KnownNames;
import java.util.List;
import java.util.Optional;

/** The subject of an experiment: the parameters that its points start from, and the task of each point. */
sealed interface ExperimentModel permits CacheModel, DesktopModel, RegistryModel, StackModel, SubtreesModel {
    /**
     * Makes the model that an experiment's file describes.
     *
     * @throws IllegalArgumentException naming the keys that the model does not know
     */
    static ExperimentModel of(Config c) {
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

    /** Returns the section that the command line may change, with its parameters. */
    KnownNames names();

    /**
     * Requires that the model knows all parameters that a sweep's value changes.
     *
     * @throws IllegalArgumentException naming an unknown one
     */
    void check(Config changes);

    /**
     * Returns the reason for which a point does not read a parameter of the section; empty if it does.
     *
     * @param changes of the sweep at this point
     */
    Optional<String> unread(Config changes, String name);

    /** Returns this model with other values in the section that the command line may change. */
    ExperimentModel with(Config values);

    /**
     * Returns this model with other random numbers.
     *
     * @param more increment of the seed
     * @throws IllegalArgumentException if no part of the model is random
     */
    ExperimentModel reseeded(long more);

    /** Returns the task of a point. */
    Task task(Config changes);

    /** Adds to the seed of a section. */
    static Config larger(Config section, Config defaults, String seed, long more) {
        long first = section.withFallback(defaults).getLong(seed);
        return section.withValue(seed, ConfigValueFactory.fromAnyRef(first + more));
    }
}
