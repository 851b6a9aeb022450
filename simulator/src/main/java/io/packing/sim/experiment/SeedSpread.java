// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import java.util.Arrays;

/** A number under several seeds: the median, the least and the greatest. */
record SeedSpread(double median, double least, double most) {
    /**
     * The limit of rounding errors to one digit, by the Particle Data Group (Review of Particle Physics, section 5.3).
     */
    private static final double SMALL = 3.55;

    static SeedSpread of(double... numbers) {
        if (numbers.length == 0) {
            throw new IllegalArgumentException("a spread of no numbers");
        }
        double[] sorted = numbers.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new SeedSpread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /**
     * Formats the number with the digits that its range leaves; of several different seeds as
     * {@code 0.62 (0.60 to 0.64)}.
     *
     * @param chance possible error of a single number; 0: none
     */
    String text(double chance) {
        return Double.compare(least, most) == 0 ? NumberText.text(median, isWhole(median) ? 0 : chance) : text();
    }

    String text() {
        if (Double.compare(least, most) == 0) {
            return NumberText.text(median);
        }
        double range = isWhole(median) && isWhole(least) && isWhole(most) ? 0 : known(most - least);
        return "%s (%s to %s)"
                .formatted(NumberText.text(median, range), NumberText.text(least, range), NumberText.text(most, range));
    }

    /**
     * Returns the place to which a number is known: the range's first digit, or its second one if the range begins with
     * a small digit.
     */
    private static double known(double range) {
        double first = range / Math.pow(10, Math.floor(Math.log10(range)));
        return first < SMALL ? range / 10 : range;
    }

    /** Returns whether a number is a count, which is exact. */
    private static boolean isWhole(double value) {
        return value == Math.rint(value);
    }
}
