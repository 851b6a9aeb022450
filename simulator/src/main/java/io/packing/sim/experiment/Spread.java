package io.packing.sim.experiment;

import java.util.Arrays;

/** What one number is under several seeds: the middle one, the least and the most. */
record Spread(double median, double least, double most) {
    static Spread of(double... numbers) {
        if (numbers.length == 0) {
            throw new IllegalArgumentException("a spread of no numbers");
        }
        var sorted = numbers.clone();
        Arrays.sort(sorted);
        var middle = sorted.length / 2;
        var median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /** The number when all are the same, else such as {@code 0.62 (0.6 to 0.64)}. */
    String text() {
        var middle = Numbers.text(median);
        if (Double.compare(least, most) == 0) {
            return middle;
        }
        return "%s (%s to %s)".formatted(middle, Numbers.text(least), Numbers.text(most));
    }

    Spread roundedToTenths() {
        return new Spread(tenths(median), tenths(least), tenths(most));
    }

    private static double tenths(double value) {
        return Double.isFinite(value) ? Math.round(10 * value) / 10.0 : value;
    }
}
