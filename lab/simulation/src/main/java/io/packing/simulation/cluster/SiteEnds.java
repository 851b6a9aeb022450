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
    /** The fewest aims at rare sites for each one at a site that is not rare. They end few processes. */
    private static final int FEWEST_RARE = 4;
    /** Some schedules aim at almost all of them: a rare site is passed once, and mostly after another rare one. */
    private static final int RARE_POWERS = 6;

    private final Schedule schedule;
    private final Random random;
    private final ScheduleCounts counts;
    private final MachineEnds ends;
    private final MachineEnds.Cluster cluster;
    private final int mostFaults;
    private final int rare;
    private boolean ended;

    SiteEnds(Schedule schedule, ScheduleCounts counts, MachineEnds ends, MachineEnds.Cluster cluster, int mostFaults) {
        this.schedule = schedule;
        this.random = schedule.random();
        this.rare = FEWEST_RARE << random.nextInt(RARE_POWERS);
        this.counts = counts;
        this.ends = ends;
        this.cluster = cluster;
        this.mostFaults = mostFaults;
    }

    /** Aims at further sites. */
    void aim() {
        schedule.sites().aim(false);
        for (int i = 0; i < rare; i++) {
            schedule.sites().aim(true);
        }
    }

    /** Ends what stands at a site, and lets no thread stand at one any more. */
    void end() {
        ended = true;
        schedule.sites().aimNoMore();
        schedule.conditions().changed();
    }

    @Override
    public void run() {
        try {
            while (!ended || standing().isPresent()) {
                if (counts.machineFaults >= mostFaults) {
                    schedule.sites().aimNoMore();
                }
                schedule.conditions().await(() -> ended || standing().isPresent());
                if (standing().isPresent()) {
                    counts.faults++;
                    counts.machineFaults++;
                    ends.killOrLosePower(standing().getAsInt());
                    if (!ended && random.nextBoolean()) {
                        // Often its next start meets one, too.
                        aim();
                    }
                }
            }
        } catch (InterruptedException e) {
            schedule.note("no more ends at sites");
        }
    }

    private OptionalInt standing() {
        return IntStream.range(0, cluster.endingAtSites())
                .filter(which -> cluster.node(which).isStanding())
                .findFirst();
    }
}
