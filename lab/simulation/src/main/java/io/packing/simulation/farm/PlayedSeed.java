// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.farm;

import io.packing.simulation.ClusterSchedule.Result;

/**
 * A schedule that a process of the farm has played.
 *
 * @param sign of what must not be; empty for a sound schedule
 * @param cpuNanos the processor time of the process so far
 */
record PlayedSeed(long seed, String sign, long cpuNanos) {
    private static final int FIELDS = 3;

    static PlayedSeed of(Result result, long cpuNanos) {
        return new PlayedSeed(result.seed(), result.sign(), cpuNanos);
    }

    /** Returns the line by which a process answers. */
    String line() {
        return "%d,%s,%d".formatted(seed, sign, cpuNanos);
    }

    /** @throws IllegalArgumentException for a line that is no answer */
    static PlayedSeed parse(String line) {
        String[] fields = line.split(",", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("a process of the farm answered: " + line);
        }
        return new PlayedSeed(Long.parseLong(fields[0]), fields[1], Long.parseLong(fields[2]));
    }

    boolean isSound() {
        return sign.isEmpty();
    }
}
