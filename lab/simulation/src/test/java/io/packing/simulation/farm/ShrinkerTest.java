// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.farm;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.simulation.ClusterSchedule.Result;
import io.packing.simulation.schedule.ClusterWorkload;
import io.packing.simulation.schedule.FaultKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A test of the search for small schedules, with rules in place of a cluster. */
class ShrinkerTest {
    private static final ClusterWorkload LARGE = ClusterWorkload.of(1_000);

    private static Result result(long seed, String sign, ClusterWorkload workload) {
        long faults = Math.min(40, workload.mask().mostFaults());
        Map<String, Long> counts =
                sign.isEmpty() ? Map.of("machine_faults", faults) : Map.of("machine_faults", faults, sign, 1L);
        return new Result(seed, counts, Optional.empty(), 1, 1, List.of(), List.of());
    }

    /** A defect that needs 37 operations of two clients, a kill, and three faults. */
    private static Result needsTwoClientsAndAKill(long seed, ClusterWorkload workload) {
        boolean fails = workload.operations() >= 37
                && workload.mask().clients() >= 2
                && workload.mask().mostFaults() >= 3
                && workload.mask().allows(FaultKind.KILL);
        return result(seed, fails ? "lost" : "", workload);
    }

    @Test
    void whatTheFailureDoesNotNeedIsLeftOut() throws InterruptedException {
        Shrinker.Shrunk smallest = new Shrinker(ShrinkerTest::needsTwoClientsAndAKill, 2_000)
                .shrink(needsTwoClientsAndAKill(7, LARGE), LARGE);
        // A step leaves out at least an eighth.
        assertThat(smallest.workload().operations()).isBetween(37, 42);
        assertThat(smallest.workload().mask().clients()).isEqualTo(2);
        assertThat(smallest.workload().mask().mostFaults()).isEqualTo(3);
        assertThat(smallest.workload().mask().without())
                .hasSize(FaultKind.values().length - 1)
                .doesNotContain(FaultKind.KILL);
    }

    @Test
    void otherSeedsOfASmallScheduleArePlayed() throws InterruptedException {
        // Of a smaller schedule only one seed of seven fails.
        Shrinker.Player rare = (seed, workload) ->
                result(seed, workload.operations() == 1_000 || seed % 7 == 3 ? "lost" : "", workload);
        Shrinker.Shrunk smallest = new Shrinker(rare, 2_000).shrink(rare.play(5, LARGE), LARGE);
        assertThat(smallest.workload().operations()).isLessThan(1_000);
        assertThat(smallest.result().seed() % 7).isEqualTo(3);
    }

    @Test
    void anotherFailureIsNotTakenForTheFirst() throws InterruptedException {
        Shrinker.Player other = (seed, workload) -> result(seed, workload.equals(LARGE) ? "lost" : "wrong", workload);
        Shrinker.Shrunk smallest = new Shrinker(other, 100).shrink(other.play(1, LARGE), LARGE);
        assertThat(smallest.workload()).isEqualTo(LARGE);
        assertThat(smallest.plays()).isEqualTo(100);
    }

    @Test
    void theSearchEnds() throws InterruptedException {
        Shrinker.Shrunk smallest =
                new Shrinker(ShrinkerTest::needsTwoClientsAndAKill, 5).shrink(needsTwoClientsAndAKill(7, LARGE), LARGE);
        assertThat(smallest.plays()).isLessThanOrEqualTo(5);
        assertThat(smallest.workload().operations()).isLessThan(1_000);
    }
}
