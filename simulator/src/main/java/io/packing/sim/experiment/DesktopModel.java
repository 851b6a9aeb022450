// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import io.packing.sim.KnownNames;
import java.util.Optional;

/** A model of recorded system calls on a local stack. */
record DesktopModel(Config desktop) implements ExperimentModel {
    DesktopModel {
        DesktopTask.NAMES.check(desktop);
    }

    @Override
    public KnownNames names() {
        return DesktopTask.NAMES;
    }

    @Override
    public void check(Config changes) {
        DesktopTask.NAMES.check(changes);
    }

    @Override
    public Optional<String> unread(Config changes, String name) {
        if (changes.hasPath(name)) {
            return Optional.of("the sweep sets it at every point");
        }
        String device = changes.withFallback(desktop)
                .withFallback(DesktopTask.NAMES.defaults())
                .getString("device");
        boolean other = (name.startsWith("disk.") && device.equals("flash"))
                || (name.startsWith("flash.") && device.equals("disk"));
        return other ? Optional.of("the device is a " + device) : Optional.empty();
    }

    @Override
    public ExperimentModel with(Config values) {
        return new DesktopModel(values.withFallback(desktop));
    }

    @Override
    public ExperimentModel reseeded(long more) {
        throw new IllegalArgumentException("recorded traces have no seed, so there are not several");
    }

    @Override
    public Task task(Config changes) {
        return new DesktopTask(changes.withFallback(desktop));
    }
}
