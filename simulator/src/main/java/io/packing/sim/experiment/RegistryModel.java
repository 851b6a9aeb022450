package io.packing.sim.experiment;

import com.typesafe.config.Config;
import io.packing.sim.KnownNames;
import java.util.Optional;

/** A registry's cache of layers. */
record RegistryModel(Config registry) implements Model {
    RegistryModel {
        RegistryTask.NAMES.check(registry);
    }

    @Override
    public KnownNames names() {
        return RegistryTask.NAMES;
    }

    @Override
    public void check(Config changes) {
        RegistryTask.NAMES.check(changes);
    }

    private boolean isRecorded(Config changes) {
        return !changes.withFallback(registry)
                .withFallback(RegistryTask.NAMES.defaults())
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
    public Model with(Config values) {
        return new RegistryModel(values.withFallback(registry));
    }

    @Override
    public Model reseeded(long more) {
        if (isRecorded(registry)) {
            throw new IllegalArgumentException("recorded traces have no seed, so there are not several");
        }
        return new RegistryModel(Model.larger(registry, RegistryTask.NAMES.defaults(), "synthetic.seed", more));
    }

    @Override
    public Task task(Config changes) {
        return new RegistryTask(changes.withFallback(registry));
    }
}
