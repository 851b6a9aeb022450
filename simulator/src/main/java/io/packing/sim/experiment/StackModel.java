// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import io.packing.sim.KnownNames;
import io.packing.sim.layers.ConfigReader;
import io.packing.sim.pack.StackReader;
import java.util.Optional;
import java.util.Set;

/**
 * A model of a trace through a stack.
 *
 * @param packing whether the stack is the packing layer instead of HBase's
 */
record StackModel(boolean packing, Config trace, Config stack) implements ExperimentModel {
    private static final String TRACE = TraceSpec.NAMES.section();
    private static final String WORKLOAD = "workload";
    /** The parameters that recorded traces read, too. */
    private static final Set<String> OF_RECORDED = Set.of("files", "machines");

    StackModel {
        TraceSpec.NAMES.check(trace);
        (packing ? StackReader.NAMES : ConfigReader.NAMES).check(stack);
    }

    @Override
    public KnownNames names() {
        return TraceSpec.NAMES;
    }

    @Override
    public void check(Config changes) {
        TraceSpec.NAMES.check(ExperimentModel.section(changes, TRACE));
        (packing ? StackReader.NAMES : ConfigReader.NAMES).check(changes.withoutPath(TRACE));
    }

    @Override
    public Optional<String> unread(Config changes, String name) {
        if (ExperimentModel.section(changes, TRACE).hasPath(name)) {
            return Optional.of("the sweep sets it at every point");
        }
        if (packing) {
            String workload = changes.withFallback(stack)
                    .withFallback(StackReader.defaults())
                    .getString(WORKLOAD);
            if (!workload.equals(TRACE)) {
                return Optional.of("no trace is played: workload = " + workload);
            }
        }
        return recorded(changes) && !OF_RECORDED.contains(name)
                ? Optional.of("a recorded trace does not read it")
                : Optional.empty();
    }

    private boolean recorded(Config changes) {
        return !ExperimentModel.section(changes, TRACE)
                .withFallback(trace)
                .withFallback(TraceSpec.NAMES.defaults())
                .getStringList("files")
                .isEmpty();
    }

    @Override
    public ExperimentModel with(Config values) {
        return new StackModel(packing, values.withFallback(trace), stack);
    }

    @Override
    public ExperimentModel reseeded(long more) {
        if (!new TraceSpec(trace).synthetic()) {
            throw new IllegalArgumentException("recorded traces have no seed, so there are not several");
        }
        Config other = ExperimentModel.larger(trace, TraceSpec.NAMES.defaults(), "seed", more);
        // The packing layer's own seed draws the clients' and the store's random numbers.
        return new StackModel(
                packing,
                other,
                packing ? ExperimentModel.larger(stack, StackReader.defaults(), "run.seed", more) : stack);
    }

    @Override
    public Task task(Config changes) {
        TraceSpec traced = new TraceSpec(ExperimentModel.section(changes, TRACE).withFallback(trace));
        Config changed = changes.withoutPath(TRACE).withFallback(stack);
        return packing ? new PackTask(traced, changed) : new StackTask(traced, changed);
    }
}
