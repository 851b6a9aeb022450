package io.packing.seed;

import java.util.Random;

/**
 * The seed of a run of tests: {@code -Dpacking.seed=N}, or one that is drawn. Whoever takes it has it printed, so that the
 * output of a test that fails says how to repeat it.
 */
public final class Seed {
    private static final String PROPERTY = "packing.seed";
    /** Of few digits, and far from an overflow for those who count on from it. */
    private static final long VALUE = Long.getLong(PROPERTY, new Random().nextInt(1 << 30));

    private Seed() {}

    /** The seed; every call in a JVM gives the same one. */
    public static long value() {
        System.out.printf("-D%s=%d%n", PROPERTY, VALUE);
        return VALUE;
    }

    /** Random numbers from the seed; every call in a JVM gives the same ones. */
    public static Random random() {
        return new Random(value());
    }
}
