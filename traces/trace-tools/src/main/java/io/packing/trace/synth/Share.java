// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

/**
 * A sequence of whole counts with a given mean. The sum of n counts differs from n means by less than one: 2.3 gives 2,
 * 2, 3, 2, 2, 3, ...
 */
final class Share {
    private final double mean;
    private double owed;

    Share(double mean) {
        this.mean = mean;
        this.owed = 0.5;
    }

    int next() {
        return next(mean);
    }

    /** Returns the next count when the mean changes from turn to turn. */
    int next(double turnsMean) {
        owed += turnsMean;
        int whole = (int) owed;
        owed -= whole;
        return whole;
    }
}
