// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import io.packing.sim.RunResult;
import io.packing.trace.TraceFiles;
import io.packing.trace.TraceReport;
import io.packing.trace.TraceSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The unreadable parts of recorded traces, as metrics. */
final class TraceDamage {
    private static final Set<String> NAMES =
            Set.of("trace-dropped-events", "trace-lost-events", "trace-damaged-blocks", "trace-torn");

    private TraceDamage() {}

    /** Adds the metrics of damage to the names if the trace is recorded. */
    static Set<String> names(TraceSpec trace, Set<String> metrics) {
        if (trace.synthetic()) {
            return metrics;
        }
        TreeSet<String> all = new TreeSet<>(metrics);
        all.addAll(NAMES);
        return all;
    }

    /** Adds the damage of the traces to a result. */
    static RunResult in(RunResult result, List<TraceSource> traces) {
        Map<String, Double> metrics = new LinkedHashMap<>(result.metrics());
        for (TraceSource trace : traces) {
            if (trace instanceof TraceFiles files) {
                TraceReport report = files.report();
                metrics.put("trace-dropped-events", (double) report.dropped());
                metrics.put("trace-lost-events", (double) report.lostEvents());
                metrics.put("trace-damaged-blocks", (double) report.damagedBlocks());
                metrics.put("trace-torn", report.torn() ? 1.0 : 0.0);
            }
        }
        return new RunResult(metrics, result.hitRates(), result.stretchHours());
    }
}
