package io.packing.sim.cachetrace;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is wrong with a trace that could be read nevertheless.
 *
 * @param torn whether the file ends in the middle of a record or of its compression
 * @param badLines lines that are not requests and were passed over
 * @param empty requests for objects of no bytes, which were passed over as libCacheSim does
 * @param backwards requests with an earlier time than the one before
 */
public record Damage(boolean torn, long badLines, long empty, long backwards) {
    static final Damage NONE = new Damage(false, 0, 0, 0);

    Damage plus(Damage other) {
        return new Damage(
                torn || other.torn, badLines + other.badLines, empty + other.empty, backwards + other.backwards);
    }

    /** The counts by their names in results. */
    Map<String, Double> metrics() {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("trace-torn", torn ? 1.0 : 0.0);
        metrics.put("trace-bad-lines", (double) badLines);
        metrics.put("trace-empty-requests", (double) empty);
        metrics.put("trace-time-went-back", (double) backwards);
        return metrics;
    }
}
