// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.cachetrace;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The defects of a readable trace.
 *
 * @param torn whether the file ends in the middle of a record or of its compression
 * @param badLines lines that are not requests, which the reader skipped
 * @param empty requests for objects of no bytes, which the reader skipped as libCacheSim does
 * @param backwards requests with an earlier time than their predecessor
 */
public record TraceDefects(boolean torn, long badLines, long empty, long backwards) {
    static final TraceDefects NONE = new TraceDefects(false, 0, 0, 0);

    TraceDefects plus(TraceDefects other) {
        return new TraceDefects(
                torn || other.torn, badLines + other.badLines, empty + other.empty, backwards + other.backwards);
    }

    /** Returns the counts by their names in results. */
    Map<String, Double> metrics() {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("trace-torn", torn ? 1.0 : 0.0);
        metrics.put("trace-bad-lines", (double) badLines);
        metrics.put("trace-empty-requests", (double) empty);
        metrics.put("trace-time-went-back", (double) backwards);
        return metrics;
    }
}
