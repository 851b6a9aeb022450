// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import java.util.Random;

/**
 * The mixture of faults of one schedule. Each kind is absent from half of the schedules, so that no kind hides the others.
 *
 * @param calls the share of calls that the network loses, half of them after they took effect
 * @param requests the share of the store's requests that fail, half of them after they took effect
 * @param kills the weight of the ends of processes
 * @param powerLosses the weight of machines that lose power
 * @param partitions the weight of pairs of machines that do not reach each other for a time
 * @param meanPauseMillis the mean virtual time between two faults of machines
 * @param latencyMicros the longest way of a message
 */
record Swarm(
        double calls,
        double requests,
        int kills,
        int powerLosses,
        int partitions,
        int meanPauseMillis,
        int latencyMicros) {
    static Swarm draw(Random random) {
        return new Swarm(
                random.nextBoolean() ? random.nextDouble() * 0.05 : 0,
                random.nextBoolean() ? random.nextDouble() * 0.2 : 0,
                random.nextInt(2),
                random.nextInt(2),
                random.nextInt(2),
                300 + random.nextInt(5_000),
                100 + random.nextInt(5_000));
    }

    int machines() {
        return kills + powerLosses + partitions;
    }
}
