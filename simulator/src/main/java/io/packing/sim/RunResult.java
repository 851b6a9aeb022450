// SPDX-License-Identifier: Apache-2.0
package io.packing.sim;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of one simulation.
 *
 * @param metrics numbers by name, in the order of the reports; {@code docs/simulator.md} defines each
 * @param hitRates share of the reads that the caches answered, in equal stretches of time; NaN for stretches without
 *     reads
 * @param stretchHours length of a stretch, in the paper's time
 */
public record RunResult(Map<String, Double> metrics, List<Double> hitRates, double stretchHours) {
    public RunResult {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
        hitRates = List.copyOf(hitRates);
    }

    /**
     * Returns the number of this name.
     *
     * @throws IllegalArgumentException if the result has no such metric
     */
    public double metric(String name) {
        Double value = metrics.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no metric '%s'; there are %s".formatted(name, metrics.keySet()));
        }
        return value;
    }
}
