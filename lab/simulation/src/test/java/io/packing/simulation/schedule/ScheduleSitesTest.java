// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
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

    /** A class that a thread needs late has sites that no list of the first schedules has. */
    @Test
    void aProcessEndsOnceAtASiteThatIsLinkedLateAlsoWhileOthersRest() throws InterruptedException {
        FaultSites sites = new FaultSites();
        sites.begin();
        sites.aimAtLinked();
        int late = sites.add(FaultSites.Kind.WRITE, "Recovery:9", "Files.write");
        Schedule schedule = new Schedule(new Schedule.Terms(1, 50, 1_000, false), sites, new Carriers());
        Machine first = new Machine("m-1");
        Machine next = new Machine("m-2");
        first.endAtSites();
        next.endAtSites();
        boolean[] passed = new boolean[2];
        schedule.run("control", () -> {
            schedule.sites().aimAtShare(1);
            schedule.sites().rest(true);
            schedule.sites().aimNoMore();
            schedule.start(first, "recovery", () -> {
                SimulatedJdk.site(late);
                passed[0] = true;
            });
            await(schedule, first);
            schedule.fail(first);
            schedule.start(next, "recovery", () -> {
                SimulatedJdk.site(late);
                passed[1] = true;
                schedule.conditions().changed();
            });
            try {
                schedule.conditions().await(() -> passed[1], 1_000);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(schedule.failure()).isEmpty();
        assertThat(first.isStandingInShare()).isTrue();
        assertThat(passed).containsExactly(false, true);
        assertThat(sites.all()).extracting(FaultSites.Site::hit).containsExactly(1L);
    }

    /** Else a seed would play another schedule in a process in which other classes were linked. */
    @Test
    void aShareOfTheRareSitesIsEqualWhateverWasLinkedBefore() throws InterruptedException {
        for (int seed = 0; seed < AIMS; seed++) {
            assertThat(standsAt("Recovery:9", seed, List.of()))
                    .isEqualTo(standsAt("Recovery:10", seed, List.of("Undone:1", "Compactor:2")));
        }
        int stood = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            stood += standsAt("Recovery:9", seed, List.of()) ? 1 : 0;
        }
        assertThat(stood).isBetween(SEEDS / 3, 2 * SEEDS / 3);
    }

    private static boolean standsAt(String place, int seed, List<String> linked) throws InterruptedException {
        FaultSites sites = new FaultSites();
        sites.begin();
        sites.aimAtLinked();
        for (String other : linked) {
            int unused = sites.add(FaultSites.Kind.SEND, other, "ObjectStore.put");
        }
        int site = sites.add(FaultSites.Kind.WRITE, place, "Files.write");
        Schedule schedule = new Schedule(new Schedule.Terms(seed, 50, 1_000, false), sites, new Carriers());
        Machine machine = new Machine("m");
        machine.endAtSites();
        boolean[] passed = new boolean[1];
        schedule.run("control", () -> {
            schedule.sites().aimAtShare(0.5);
            schedule.start(machine, "recovery", () -> {
                SimulatedJdk.site(site);
                passed[0] = true;
            });
            try {
                schedule.conditions().await(() -> machine.isStanding() || passed[0], 1_000);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            schedule.fail(machine);
        });
        assertThat(schedule.failure()).isEmpty();
        return machine.isStanding();
    }

    private static void await(Schedule schedule, Machine machine) {
        try {
            schedule.conditions().await(machine::isStanding, 60_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
