// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.packing.simulation.schedule.FaultKind;
import io.packing.simulation.schedule.ScheduleMask;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

/**
 * The mixture of faults and work of one schedule. Each kind of fault is absent from half of the schedules, so that no kind hides the
 * others.
 *
 * @param calls the share of calls that the network loses, half of them after they took effect
 * @param requests the share of the store's requests that fail, half of them after they took effect
 * @param machines the weights of the faults of machines
 * @param meanPauseMillis the mean virtual time between two faults of machines
 * @param latencyMicros the longest way of a message
 * @param names the number of names of a client. Of few names, each is written again before its blob is pushed
 * @param thinkMicros the longest virtual time between two operations of a client
 * @param forceMicros the longest time that a disk takes for a force; 0: none, so that no loss of power meets bytes on their way
 * @param sealSeconds the age at which files are pushed. The store shows nothing of a buffer that is pushed late
 * @param forgetful true for a mount that does not sync: a loss of power may take files, but leaves no wrong bytes
 * @param flips true if a worker of such a mount may find flipped bits after a loss of power
 * @param upkeep true if backups, journals, collections and compactions come within seconds
 * @param group true if the master is a member of a group
 * @param rareSites the share of the rare sites at which a process ends, once at each
 * @param smallBlobs true for blobs of a quarter of the size
 */
record Swarm(
        double calls,
        double requests,
        Map<FaultKind, Integer> machines,
        int meanPauseMillis,
        int latencyMicros,
        int names,
        int thinkMicros,
        int forceMicros,
        int sealSeconds,
        boolean forgetful,
        boolean flips,
        boolean upkeep,
        boolean group,
        double rareSites,
        boolean smallBlobs) {
    private static final int FEWEST_NAMES = 4;
    private static final int SHORTEST_THINK_MICROS = 10_000;
    private static final int SHORTEST_PAUSE_MILLIS = 250;
    private static final int LATE_SEAL_SECONDS = 15;
    /** One of so many schedules has a mount that does not sync. */
    private static final int FORGETFUL = 4;
    /** One of so many schedules has a group of masters. */
    private static final int GROUP = 3;
    /** The further weight of faults after calls in a group. Its next leader goes on at once with the writes of the last one. */
    private static final int AFTER_CALLS_OF_GROUP = 3;

    /** One of so many schedules has small blobs. */
    private static final int SMALL_BLOBS = 3;

    /** One of so many schedules ends processes at a share of the rare sites. */
    private static final int RARE_SITES = 3;

    private static final int SHARE_POWERS = 3;

    /**
     * @param random the source of all decisions of a schedule
     * @param later a separate source, of decisions that older seeds did not make
     */
    static Swarm draw(Random random, Random later) {
        boolean group = random.nextInt(GROUP) == 0;
        Map<FaultKind, Integer> machines = new EnumMap<>(FaultKind.class);
        for (FaultKind fault : FaultKind.values()) {
            if (fault.isOfMachines()) {
                boolean loses = fault == FaultKind.LOST_DIRECTORY || fault == FaultKind.OLDER_DIRECTORY;
                machines.put(fault, loses ? random.nextInt(4) / 3 : random.nextInt(2));
            }
        }
        if (group) {
            // A loss of a member's directory takes no table.
            int unused = machines.merge(FaultKind.AFTER_CALL, AFTER_CALLS_OF_GROUP, Integer::sum);
        }
        return new Swarm(
                random.nextBoolean() ? random.nextDouble() * 0.05 : 0,
                random.nextBoolean() ? random.nextDouble() * 0.2 : 0,
                machines,
                SHORTEST_PAUSE_MILLIS << random.nextInt(6),
                100 + random.nextInt(5_000),
                FEWEST_NAMES << random.nextInt(4),
                SHORTEST_THINK_MICROS << random.nextInt(6),
                random.nextBoolean() ? 1 << random.nextInt(16) : 0,
                random.nextBoolean() ? 1 : LATE_SEAL_SECONDS,
                random.nextInt(FORGETFUL) == 0,
                random.nextInt(3) > 0,
                random.nextBoolean(),
                group,
                later.nextInt(RARE_SITES) == 0 ? 1.0 / (1 << later.nextInt(SHARE_POWERS)) : 0,
                later.nextInt(SMALL_BLOBS) == 0);
    }

    /** Returns this mixture without what a mask leaves out. */
    Swarm without(ScheduleMask mask) {
        Map<FaultKind, Integer> left = new EnumMap<>(machines);
        left.replaceAll((fault, weight) -> mask.allows(fault) ? weight : 0);
        return new Swarm(
                mask.allows(FaultKind.CALLS) ? calls : 0,
                mask.allows(FaultKind.REQUESTS) ? requests : 0,
                left,
                meanPauseMillis,
                latencyMicros,
                names,
                thinkMicros,
                mask.allows(FaultKind.SLOW_FORCES) ? forceMicros : 0,
                sealSeconds,
                forgetful && mask.allows(FaultKind.FORGETFUL),
                flips && mask.allows(FaultKind.FLIPPED_BITS),
                upkeep,
                group && mask.allows(FaultKind.GROUP),
                mask.allows(FaultKind.RARE_SITES) ? rareSites : 0,
                smallBlobs && mask.allows(FaultKind.SMALL_BLOBS));
    }

    /** Returns the sum of the weights of the faults of machines. */
    int sum() {
        return machines.values().stream().mapToInt(weight -> weight).sum();
    }

    /** Returns the fault that a number below the sum of all weights stands for. */
    FaultKind fault(int drawn) {
        int above = drawn;
        for (Map.Entry<FaultKind, Integer> each : machines.entrySet()) {
            above -= each.getValue();
            if (above < 0) {
                return each.getKey();
            }
        }
        throw new IllegalArgumentException("no fault is %d of %s".formatted(drawn, machines));
    }
}
