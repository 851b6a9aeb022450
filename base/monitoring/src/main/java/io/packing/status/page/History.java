package io.packing.status.page;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The last samples of a daemon, each of several numbers; older ones are overwritten. Confined to one thread.
 */
final class History {
    static final int SAMPLES = 360;

    private final Map<String, double[]> series = new LinkedHashMap<>();
    private long taken;

    /** Adds a sample; a number that it lacks is unknown. */
    void add(Map<String, Double> sample) {
        sample.keySet().forEach(name -> series.computeIfAbsent(name, unused -> unknown()));
        int at = (int) (taken % SAMPLES);
        series.forEach((name, values) -> values[at] = sample.getOrDefault(name, Double.NaN));
        taken++;
    }

    private static double[] unknown() {
        double[] values = new double[SAMPLES];
        Arrays.fill(values, Double.NaN);
        return values;
    }

    /** Each number's samples, oldest first; NaN where it was not known. */
    Map<String, List<Double>> series() {
        Map<String, List<Double>> all = new LinkedHashMap<>();
        series.forEach((name, values) -> {
            List<Double> ordered = new ArrayList<>();
            for (long i = Math.max(0, taken - SAMPLES); i < taken; i++) {
                ordered.add(values[(int) (i % SAMPLES)]);
            }
            all.put(name, ordered);
        });
        return all;
    }

    /** How many samples there are. */
    int size() {
        return (int) Math.min(taken, SAMPLES);
    }
}
