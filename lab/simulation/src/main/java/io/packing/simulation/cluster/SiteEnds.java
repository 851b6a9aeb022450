// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.packing.simulation.schedule.Schedule;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The ends of processes and machines right before calls of ports. A fault aims at a site of production. The first process that comes to it
 * stands still there until it ends, whenever that is: few schedules reach a rare site, and they reach it once.
 */
final class SiteEnds implements Runnable {
    /** The most aims of one fault at sites that are not rare. */
    private static final int MOST_OFTEN = 3;
    /** The fewest aims at rare sites. They end few processes. */
    private static final int FEWEST_RARE = 4;

    private static final int RARE_POWERS = 3;
    /**
     * One of so many schedules aims at all rare sites, and each end may follow the one before it: a rare site is passed once, and mostly after
     * another rare one.
     */
    private static final int HUNTS = 6;

    private static final int ALL_RARE = 1_000;

    private static final int FEWEST_ENDS = 2;
    private static final int END_POWERS = 5;
    /** The most writes, and the most time, between two ends. */
    private static final int MOST_WRITES = 20;

    private static final int REST_MILLIS = 10_000;

    private final Schedule schedule;
    private final Random random;
    private final ScheduleCounts counts;
    private final MachineEnds machines;
    private final MachineEnds.Cluster cluster;
    private final int mostFaults;
    private final boolean hunts;
    private final int rare;
    /** The ends that are left: many ends leave little time for work, so that a schedule has few or many. */
    private int ends;

    private boolean ended;

    SiteEnds(
            Schedule schedule,
            ScheduleCounts counts,
            MachineEnds machines,
            MachineEnds.Cluster cluster,
            int mostFaults) {
        this.schedule = schedule;
        this.random = schedule.random();
        this.hunts = random.nextInt(HUNTS) == 0;
        this.ends = hunts ? Integer.MAX_VALUE : FEWEST_ENDS << random.nextInt(END_POWERS);
        this.rare = hunts ? ALL_RARE : FEWEST_RARE << random.nextInt(RARE_POWERS);
        this.counts = counts;
        this.machines = machines;
        this.cluster = cluster;
        this.mostFaults = mostFaults;
    }

    /** Aims at further sites. */
    void aim() {
        if (ends <= 0) {
            return;
        }
        for (int i = random.nextInt(MOST_OFTEN); i >= 0; i--) {
            schedule.sites().aim(false);
        }
        for (int i = 0; i < rare; i++) {
            schedule.sites().aim(true);
        }
    }

    /** Ends what stands at a site, and lets no thread stand at one any more. */
    void end() {
        ended = true;
        schedule.sites().aimNoMore();
        schedule.sites().aimAtShareNoMore();
        schedule.conditions().changed();
    }

    @Override
    public void run() {
        try {
            while (!ended || standing().isPresent()) {
                if (counts.machineFaults >= mostFaults) {
                    schedule.sites().aimNoMore();
                    schedule.sites().aimAtShareNoMore();
                } else if (ends <= 0) {
                    schedule.sites().aimNoMore();
                }
                schedule.conditions().await(() -> ended || standing().isPresent());
                if (standing().isPresent()) {
                    int which = standing().getAsInt();
                    boolean inShare = cluster.node(which).machine().isStandingInShare();
                    counts.faults++;
                    counts.machineFaults++;
                    machines.killOrLosePower(which);
                    if (inShare) {
                        rest();
                        continue;
                    }
                    ends--;
                    if (!hunts && random.nextInt(3) > 0) {
                        rest();
                    } else if (!hunts && !ended) {
                        // Its next start meets one, too.
                        aim();
                    }
                }
            }
        } catch (InterruptedException e) {
            schedule.note("no more ends at sites");
        }
    }

    /** Lets the cluster work before the next end: ends without work between them find little. */
    private void rest() throws InterruptedException {
        schedule.sites().rest(true);
        try {
            long wanted = counts.written + 1 + random.nextInt(MOST_WRITES);
            schedule.conditions().await(() -> ended || standing().isPresent() || counts.written >= wanted, REST_MILLIS);
        } finally {
            schedule.sites().rest(false);
        }
    }

    private OptionalInt standing() {
        return IntStream.range(0, cluster.endingAtSites())
                .filter(which -> cluster.node(which).isStanding())
                .findFirst();
    }
}
