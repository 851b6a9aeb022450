// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

/**
 * A sequence that fills [0, 1) evenly (the golden-ratio sequence), from a seeded start.
 *
 * <p>A few samples have the wanted distribution, where random ones would need thousands. So a short trace has the
 * paper's shares, too.
 */
final class EvenSequence {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private long state;

    EvenSequence(long seed) {
        this.state = mix(seed);
    }

    double next() {
        state += GOLDEN;
        return (state >>> 11) * 0x1p-53;
    }

    double between(double from, double to) {
        return from + next() * (to - from);
    }

    double logBetween(double from, double to) {
        return from * Math.pow(to / from, next());
    }

    /** Returns a sample of the exponential distribution with mean 1, cut at 7. */
    double exponential() {
        return Math.min(7, -Math.log(1 - next())) / (1 - Math.exp(-7));
    }

    /** Returns the i-th value of the sequence that starts at 0, without state. */
    static double at(long i) {
        return ((i * GOLDEN) >>> 11) * 0x1p-53;
    }

    /** Returns a well-mixed 64-bit value (the finaliser of SplitMix64). */
    static long mix(long value) {
        long z = value + GOLDEN;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
