// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.simulation.ClusterSchedule.Result;
import io.packing.simulation.schedule.ClusterWorkload;
import io.packing.simulation.schedule.FaultKind;
import io.packing.simulation.schedule.FaultSites;
import io.packing.simulation.schedule.ScheduleMask;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A few schedules of a whole cluster. {@code bin/lab simulate} goes on with other seeds. */
@Tag("hunt")
class ClusterRunTest {
    private static final int SCHEDULES = Integer.getInteger("packing.simulation.schedules", 5);
    private static final int OPERATIONS = 300;
    private static final int USUAL_OPERATIONS = 1_000;
    private static final int MOST_SEEDS = 60;
    private static final List<Long> FAILED_ONCE = List.of(22L, 38L, 41L, 126L, 2133L, 2193L);
    private static final ClusterWorkload WORKLOAD = ClusterWorkload.of(OPERATIONS);
    /** The workload of the time when they failed, without what schedules draw since. */
    private static final ClusterWorkload FAILED_ONCE_WORKLOAD = ClusterWorkload.of(USUAL_OPERATIONS)
            .with(
                    USUAL_OPERATIONS,
                    new ScheduleMask(
                            EnumSet.of(FaultKind.RARE_SITES, FaultKind.SMALL_BLOBS),
                            ScheduleMask.NONE.mostFaults(),
                            ScheduleMask.NONE.clients()));

    private static void assertSound(Result result) {
        assertThat(result.failure())
                .as("seed %d: %s", result.seed(), result.story())
                .isEmpty();
        assertThat(result.isSound())
                .as("seed %d: %s %s", result.seed(), result.counts(), result.story())
                .isTrue();
        assertThat(result.count("operations")).isEqualTo(OPERATIONS);
    }

    @Test
    void acknowledgedFilesOutliveFaultsOfEachSeed() throws ReflectiveOperationException, InterruptedException {
        ClusterSchedule cluster = new ClusterSchedule();
        cluster.watchStacks();
        long faults = 0;
        EnumSet<FaultSites.Kind> met = EnumSet.noneOf(FaultSites.Kind.class);
        for (long seed = 1; seed <= SCHEDULES; seed++) {
            Result result = cluster.play(seed, WORKLOAD);
            assertSound(result);
            faults += result.count("faults");
        }
        assertThat(faults).isPositive();
        for (FaultSites.Site site : cluster.sites()) {
            if (site.hit() > 0) {
                assertThat(site.reached()).as(site.line()).isPositive();
                met.add(site.kind());
            }
        }
        assertThat(met).containsExactlyInAnyOrder(FaultSites.Kind.values());
    }

    /** Seeds that failed once. What they play changes with the simulation and with production, so each defect has a test of its own, too. */
    @Test
    void seedsThatFailedOnceAreSound() throws ReflectiveOperationException, InterruptedException {
        ClusterSchedule cluster = new ClusterSchedule();
        for (long seed : FAILED_ONCE) {
            Result result = cluster.play(seed, FAILED_ONCE_WORKLOAD);
            assertThat(result.isSound())
                    .as("seed %d: %s %s %s", seed, result.counts(), result.failure(), result.story())
                    .isTrue();
        }
    }

    /** Such a mount may lose files with the power: a check that finds none of them would find no defect. */
    @Test
    void filesThatAreNotSyncedAreFoundMissing() throws ReflectiveOperationException, InterruptedException {
        ClusterSchedule cluster = new ClusterSchedule();
        long missing = 0;
        for (long seed = 1; seed <= MOST_SEEDS && missing == 0; seed++) {
            Result result = cluster.play(seed, new ClusterWorkload(OPERATIONS, "buffered"));
            missing = result.count("lost") + result.count("returned");
        }
        assertThat(missing).isPositive();
    }

    @Test
    void aSeedReplaysToTheTurn() throws ReflectiveOperationException, InterruptedException {
        Result first = new ClusterSchedule().play(3, WORKLOAD);
        Result again = new ClusterSchedule().play(3, WORKLOAD);
        assertThat(again.story()).isEqualTo(first.story());
        assertThat(again.trace()).isEqualTo(first.trace());
        assertThat(again.counts()).isEqualTo(first.counts());
    }
}
