// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The aims of faults: which sites of production the schedules of many seeds meet. */
class ScheduleSitesTest {
    private static final int SITES = 257;
    private static final int SEEDS = 500;
    private static final int AIMS = 7;

    @Test
    void schedulesOfSeedsInARowAimAtAllSitesAlike() {
        for (long first : new long[] {1, -3, 60_000, 1L << 40}) {
            int[] aims = new int[SITES];
            for (long seed = first; seed < first + SEEDS; seed++) {
                for (int number = 0; number < AIMS; number++) {
                    aims[ScheduleSites.place(seed, number, SITES)]++;
                }
            }
            int mean = SEEDS * AIMS / SITES;
            assertThat(Arrays.stream(aims).min().getAsInt()).isGreaterThan(mean / 2);
            assertThat(Arrays.stream(aims).max().getAsInt()).isLessThan(2 * mean);
        }
    }

    @Test
    void aProcessEndsAtTheSiteOfAnAimAndAtNoOther() throws InterruptedException {
        FaultSites sites = new FaultSites();
        sites.begin();
        // The first schedule has not reached it.
        int write = sites.add(FaultSites.Kind.WRITE, "Buffer:1", "Files.write");
        sites.aimAtLinked();
        int force = sites.add(FaultSites.Kind.SYNC, "Buffer:2", "FileChannel.force");
        Schedule schedule = new Schedule(new Schedule.Terms(1, 50, 1_000, false), sites, new Carriers());
        Machine machine = new Machine("w0");
        machine.endAtSites();
        boolean[] passed = new boolean[3];
        schedule.run("control", () -> {
            schedule.sites().aim(true);
            schedule.start(machine, "writer", () -> {
                SimulatedJdk.site(force);
                passed[0] = true;
                SimulatedJdk.site(write);
                passed[1] = true;
            });
            await(schedule, machine);
            passed[2] = machine.isStanding();
            schedule.fail(machine);
        });
        assertThat(schedule.failure()).isEmpty();
        assertThat(passed).containsExactly(true, false, true);
        assertThat(sites.all()).extracting(FaultSites.Site::hit).containsExactly(1L, 0L);
    }

    private static void await(Schedule schedule, Machine machine) {
        try {
            schedule.conditions().await(machine::isStanding, 60_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
