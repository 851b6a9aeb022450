// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigRenderOptions;
import io.packing.sim.RunResult;
import io.packing.sim.layers.ConfigReader;
import io.packing.sim.layers.Simulation;
import io.packing.trace.TraceSource;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/** A task that plays a trace of file-system calls through the whole stack. */
record StackTask(TraceSpec trace, Config stack) implements Task {
    StackTask {
        // The constructor refuses misspelt or impossible parameters before a run.
        ConfigReader.read(stack);
    }

    private Simulation simulation() {
        return new Simulation(ConfigReader.read(stack), trace.scale());
    }

    @Override
    public String identity() throws IOException {
        Config all = stack.withFallback(ConfigReader.defaults()).resolve();
        return trace.identity() + '|' + all.root().render(ConfigRenderOptions.concise());
    }

    @Override
    public long memory() {
        return simulation().memory(trace.machines());
    }

    @Override
    public long expectedEvents() {
        return trace.expectedEvents();
    }

    @Override
    public Input input() {
        return trace.input();
    }

    @Override
    public double chance(RunResult run, String metric) {
        return trace.chance(run.metric(metric));
    }

    @Override
    public Set<String> metrics() {
        return TraceDamage.names(trace, Simulation.metricNames());
    }

    @Override
    public RunResult run(LongConsumer played) throws IOException {
        List<TraceSource> traces = trace.open();
        try {
            return TraceDamage.in(simulation().run(traces, trace.machines(), trace.hosts(), played), traces);
        } finally {
            for (TraceSource source : traces) {
                source.close();
            }
        }
    }
}
