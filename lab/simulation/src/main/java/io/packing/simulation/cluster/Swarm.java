// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import java.util.Random;

/**
 * The mixture of faults and work of one schedule. Each kind of fault is absent from half of the schedules, so that no kind hides the
 * others.
 *
 * @param calls the share of calls that the network loses, half of them after they took effect
 * @param requests the share of the store's requests that fail, half of them after they took effect
 * @param kills the weight of the ends of processes
 * @param powerLosses the weight of machines that lose power
 * @param partitions the weight of pairs of machines that do not reach each other for a time
 * @param lostDirectories the weight of masters that start without their directories
 * @param olderDirectories the weight of masters that start on older copies of their directories
 * @param meanPauseMillis the mean virtual time between two faults of machines
 * @param latencyMicros the longest way of a message
 * @param names the number of names of a client. Of few names, each is written again before its blob is pushed
 * @param thinkMicros the longest virtual time between two operations of a client
 * @param forceMicros the longest time that a disk takes for a force; 0: none, so that no loss of power meets bytes on their way
 */
record Swarm(
        double calls,
        double requests,
        int kills,
        int powerLosses,
        int partitions,
        int lostDirectories,
        int olderDirectories,
        int meanPauseMillis,
        int latencyMicros,
        int names,
        int thinkMicros,
        int forceMicros) {
    private static final int FEWEST_NAMES = 4;
    private static final int SHORTEST_THINK_MICROS = 10_000;
    private static final int SHORTEST_PAUSE_MILLIS = 250;

    static Swarm draw(Random random) {
        return new Swarm(
                random.nextBoolean() ? random.nextDouble() * 0.05 : 0,
                random.nextBoolean() ? random.nextDouble() * 0.2 : 0,
                random.nextInt(2),
                random.nextInt(2),
                random.nextInt(2),
                random.nextInt(4) / 3,
                random.nextInt(4) / 3,
                SHORTEST_PAUSE_MILLIS << random.nextInt(6),
                100 + random.nextInt(5_000),
                FEWEST_NAMES << random.nextInt(4),
                SHORTEST_THINK_MICROS << random.nextInt(6),
                random.nextBoolean() ? 1 << random.nextInt(16) : 0);
    }

    int machines() {
        return kills + powerLosses + partitions + lostDirectories + olderDirectories;
    }
}
