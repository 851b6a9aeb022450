package io.packing.sim.experiment;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigRenderOptions;
import io.packing.sim.ConfigReader;
import io.packing.sim.RunResult;
import io.packing.sim.Simulation;
import io.packing.trace.TraceFiles;
import io.packing.trace.TraceSource;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.LongConsumer;

/** A trace of file-system calls through the whole stack. */
record StackTask(TraceSpec trace, Config stack) implements Task {
    StackTask {
        // Refuses what is misspelt or impossible before anything runs.
        ConfigReader.read(stack);
    }

    private Simulation simulation() {
        return new Simulation(ConfigReader.read(stack), trace.scale());
    }

    @Override
    public String identity() throws IOException {
        var all = stack.withFallback(ConfigReader.defaults()).resolve();
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
    public RunResult run(LongConsumer played) throws IOException {
        var traces = trace.open();
        try {
            return withDamage(simulation().run(traces, trace.machines(), trace.hosts(), played), traces);
        } finally {
            for (var source : traces) {
                source.close();
            }
        }
    }

    /** Adds what could not be read of recorded traces. */
    private static RunResult withDamage(RunResult result, List<TraceSource> traces) {
        var metrics = new LinkedHashMap<>(result.metrics());
        for (var trace : traces) {
            if (trace instanceof TraceFiles files) {
                var report = files.report();
                metrics.put("trace-dropped-events", (double) report.dropped());
                metrics.put("trace-lost-events", (double) report.lostEvents());
                metrics.put("trace-damaged-blocks", (double) report.damagedBlocks());
                metrics.put("trace-torn", report.torn() ? 1.0 : 0.0);
            }
        }
        return new RunResult(metrics, result.hitRates(), result.stretchHours());
    }
}
