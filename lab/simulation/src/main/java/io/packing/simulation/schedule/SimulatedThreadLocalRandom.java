// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.Random;

/** The place of {@link java.util.concurrent.ThreadLocalRandom} in a simulation. */
public final class SimulatedThreadLocalRandom extends Random {
    private static final long serialVersionUID = 1;
    private static final SimulatedThreadLocalRandom ONLY = new SimulatedThreadLocalRandom();

    private SimulatedThreadLocalRandom() {
        super(0);
    }

    /** Returns the random numbers of the caller's schedule. */
    public static SimulatedThreadLocalRandom current() {
        return ONLY;
    }

    /** Returns the caller's probe, as copies of the JDK's classes ask for it. */
    public static int getProbe() {
        return 1;
    }

    public static void localInit() {
        // All threads have the probe.
    }

    public static int advanceProbe(int probe) {
        return probe * 31 + 7;
    }

    @Override
    protected int next(int bits) {
        return Schedule.current().random().nextInt() >>> (Integer.SIZE - bits);
    }
}
