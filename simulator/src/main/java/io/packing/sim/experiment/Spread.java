package io.packing.sim.experiment;

import java.util.Arrays;

/** What one number is under several seeds: the middle one, the least and the most. */
record Spread(double median, double least, double most) {
    /** As the Particle Data Group rounds errors (Review of Particle Physics, section 5.3). */
    private static final double SMALL = 3.55;

    static Spread of(double... numbers) {
        if (numbers.length == 0) {
            throw new IllegalArgumentException("a spread of no numbers");
        }
        double[] sorted = numbers.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /**
     * The number, or of several seeds that differ such as {@code 0.62 (0.60 to 0.64)}, with the digits that their range leaves.
     *
     * @param chance how far a single number may be off; 0: not at all
     */
    String text(double chance) {
        return Double.compare(least, most) == 0 ? Numbers.text(median, isWhole(median) ? 0 : chance) : text();
    }

    String text() {
        if (Double.compare(least, most) == 0) {
            return Numbers.text(median);
        }
        double range = isWhole(median) && isWhole(least) && isWhole(most) ? 0 : known(most - least);
        return "%s (%s to %s)"
                .formatted(Numbers.text(median, range), Numbers.text(least, range), Numbers.text(most, range));
    }

    /** To which place a number is known: the range's first digit, and where that is small, its second. */
    private static double known(double range) {
        double first = range / Math.pow(10, Math.floor(Math.log10(range)));
        return first < SMALL ? range / 10 : range;
    }

    /** Counts are exact. */
    private static boolean isWhole(double value) {
        return value == Math.rint(value);
    }
}
