package io.packing.trace.synth;

/** Turns a mean count into whole ones that never stray from it by one or more: 2.3 gives 2, 2, 3, 2, 2, 3, ... */
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

    /** The same for a mean that changes from turn to turn. */
    int next(double turnsMean) {
        owed += turnsMean;
        int whole = (int) owed;
        owed -= whole;
        return whole;
    }
}
