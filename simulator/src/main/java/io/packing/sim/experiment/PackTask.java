// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigRenderOptions;
import io.packing.sim.RunResult;
import io.packing.sim.pack.PackSimulation;
import io.packing.sim.pack.StackReader;
import io.packing.trace.TraceSource;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongConsumer;

/** A task that plays files, of clients or of a trace, through the packing layer and an object store. */
record PackTask(TraceSpec trace, Config stack) implements Task {
    PackTask {
        // The constructor refuses misspelt or impossible parameters before a run.
        new PackSimulation(stack);
    }

    private PackSimulation simulation() {
        return new PackSimulation(stack);
    }

    @Override
    public String identity() throws IOException {
        Config all = stack.withFallback(StackReader.defaults()).resolve();
        // Clients write equal files whatever the trace is.
        String played = simulation().replays() ? trace.identity() : "";
        return "packing|" + played + '|' + all.root().render(ConfigRenderOptions.concise());
    }

    @Override
    public long memory() {
        return simulation().memory();
    }

    @Override
    public long expectedEvents() {
        return simulation().replays() ? trace.expectedEvents() : 0;
    }

    @Override
    public Input input() {
        if (simulation().replays()) {
            return trace.input();
        }
        Config all = stack.withFallback(StackReader.defaults()).resolve();
        return new Input(
                String.format(
                        Locale.ROOT,
                        "%,d clients that write %,d files of %,d bytes each",
                        all.getInt("ingest.clients"),
                        all.getInt("ingest.files-per-client"),
                        all.getBytes("ingest.file-size")),
                OptionalLong.of(all.getLong("run.seed")));
    }

    /**
     * Returns the chance of a trace; 0 for clients: only the store's latencies and refusals are random, and their means
     * are stable.
     */
    @Override
    public double chance(RunResult run, String metric) {
        return simulation().replays() ? trace.chance(run.metric(metric)) : 0;
    }

    @Override
    public Set<String> metrics() {
        return simulation().replays()
                ? TraceDamage.names(trace, simulation().metricNames())
                : simulation().metricNames();
    }

    @Override
    public RunResult run(LongConsumer played) throws IOException {
        List<TraceSource> traces = simulation().replays() ? trace.open() : List.of();
        try {
            return TraceDamage.in(simulation().run(traces, played), traces);
        } finally {
            for (TraceSource source : traces) {
                source.close();
            }
        }
    }
}
