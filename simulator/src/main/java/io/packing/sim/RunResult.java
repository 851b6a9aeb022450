package io.packing.sim;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one simulation found.
 *
 * @param metrics numbers by name, in the order of the reports; {@code docs/simulator.md} says what each is
 * @param hitRates share of the reads that the caches answered, in equal stretches of time; NaN where nothing was read
 * @param stretchHours length of those, in the paper's time
 */
public record RunResult(Map<String, Double> metrics, List<Double> hitRates, double stretchHours) {
    public RunResult {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
        hitRates = List.copyOf(hitRates);
    }

    /**
     * The number of this name.
     *
     * @throws IllegalArgumentException when there is none
     */
    public double metric(String name) {
        Double value = metrics.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no metric '%s'; there are %s".formatted(name, metrics.keySet()));
        }
        return value;
    }
}
