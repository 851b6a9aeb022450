// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

import java.util.List;

/** The middle of some figures; the mean of the two middle ones when their number is even. */
public final class Median {
    private Median() {}

    public static double of(List<Double> figures) {
        if (figures.isEmpty()) {
            throw new IllegalArgumentException("no figures");
        }
        List<Double> sorted = figures.stream().sorted().toList();
        Double upper = sorted.get(sorted.size() / 2);
        return sorted.size() % 2 == 1 ? upper : (sorted.get(sorted.size() / 2 - 1) + upper) / 2;
    }
}
