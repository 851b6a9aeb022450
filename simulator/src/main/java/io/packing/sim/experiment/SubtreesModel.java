// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import io.packing.sim.KnownNames;
import java.util.Optional;

/** A model of a mount that is split by subtree over groups of masters. */
record SubtreesModel(Config subtrees) implements ExperimentModel {
    SubtreesModel {
        SubtreesTask.NAMES.check(subtrees);
    }

    @Override
    public KnownNames names() {
        return SubtreesTask.NAMES;
    }

    @Override
    public void check(Config changes) {
        SubtreesTask.NAMES.check(changes);
    }

    @Override
    public Optional<String> unread(Config changes, String name) {
        return changes.hasPath(name) ? Optional.of("the sweep sets it at every point") : Optional.empty();
    }

    @Override
    public ExperimentModel with(Config values) {
        return new SubtreesModel(values.withFallback(subtrees));
    }

    @Override
    public ExperimentModel reseeded(long more) {
        return new SubtreesModel(ExperimentModel.larger(subtrees, SubtreesTask.NAMES.defaults(), "seed", more));
    }

    @Override
    public Task task(Config changes) {
        return new SubtreesTask(changes.withFallback(subtrees));
    }
}
