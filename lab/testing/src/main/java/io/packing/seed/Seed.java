// SPDX-License-Identifier: Apache-2.0
package io.packing.seed;

import java.util.Random;

/**
 * The seed of a run of tests: {@code -Dpacking.seed=N}, or a random one. Each use prints it, so that the output of a
 * failed test shows how to repeat the test.
 */
public final class Seed {
    private static final String PROPERTY = "packing.seed";
    /** The seed. It has few digits, so that a test can add to it without overflow. */
    private static final long VALUE = Long.getLong(PROPERTY, new Random().nextInt(1 << 30));

    private Seed() {}

    /** Prints and returns the seed, which stays in a JVM. */
    public static long value() {
        System.out.printf("-D%s=%d%n", PROPERTY, VALUE);
        return VALUE;
    }

    /** Returns random numbers from the seed. Every call in a JVM gives an equal sequence. */
    public static Random random() {
        return new Random(value());
    }
}
