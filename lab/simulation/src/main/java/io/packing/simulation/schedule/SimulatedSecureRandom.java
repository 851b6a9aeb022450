// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.security.SecureRandom;

/** A source of random numbers that the seed of the caller's schedule determines. */
public final class SimulatedSecureRandom extends SecureRandom {
    private static final long serialVersionUID = 1;

    public SimulatedSecureRandom() {
        super(new byte[8]);
    }

    @Override
    public void nextBytes(byte[] bytes) {
        Schedule.current().random().nextBytes(bytes);
    }

    @Override
    public int nextInt() {
        return Schedule.current().random().nextInt();
    }

    @Override
    public long nextLong() {
        return Schedule.current().random().nextLong();
    }
}
