package io.packing.sim.experiment;

import io.packing.sim.RunResult;
import io.packing.trace.TraceFiles;
import io.packing.trace.TraceSource;
import java.util.LinkedHashMap;
import java.util.List;

/** What could not be read of recorded traces, as metrics. */
final class TraceDamage {
    private TraceDamage() {}

    /** The result with the damage of the traces that gave it. */
    static RunResult in(RunResult result, List<TraceSource> traces) {
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
