// SPDX-License-Identifier: Apache-2.0
package io.packing.status.page;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A daemon's last samples, of several numbers each; new samples overwrite the oldest. Confined to one thread. */
final class SampleHistory {
    static final int SAMPLES = 360;

    private final Map<String, double[]> series = new LinkedHashMap<>();
    private long taken;

    /** Adds a sample; a number that it lacks becomes NaN. */
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

    /** Returns each number's samples, oldest first; NaN means that the number was unknown. */
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

    /** Returns the number of samples. */
    int size() {
        return (int) Math.min(taken, SAMPLES);
    }
}
