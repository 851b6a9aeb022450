// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import io.packing.sim.KnownNames;
import java.util.Optional;
import java.util.function.Function;

/**
 * A model of a registry: its cache of layers, or its nodes.
 *
 * @param registry section of the experiment
 * @param names its parameters
 * @param maker of the task
 */
record RegistryModel(Config registry, KnownNames names, Function<Config, Task> maker) implements ExperimentModel {
    RegistryModel {
        names.check(registry);
    }

    @Override
    public void check(Config changes) {
        names.check(changes);
    }

    private boolean isRecorded(Config changes) {
        return !changes.withFallback(registry)
                .withFallback(names.defaults())
                .getStringList("files")
                .isEmpty();
    }

    @Override
    public Optional<String> unread(Config changes, String name) {
        if (changes.hasPath(name)) {
            return Optional.of("the sweep sets it at every point");
        }
        return name.startsWith("synthetic.") && isRecorded(changes)
                ? Optional.of("the trace is recorded")
                : Optional.empty();
    }

    @Override
    public ExperimentModel with(Config values) {
        return new RegistryModel(values.withFallback(registry), names, maker);
    }

    @Override
    public ExperimentModel reseeded(long more) {
        if (isRecorded(registry)) {
            throw new IllegalArgumentException("recorded traces have no seed, so there are not several");
        }
        return new RegistryModel(
                ExperimentModel.larger(registry, names.defaults(), "synthetic.seed", more), names, maker);
    }

    @Override
    public Task task(Config changes) {
        return maker.apply(changes.withFallback(registry));
    }
}
