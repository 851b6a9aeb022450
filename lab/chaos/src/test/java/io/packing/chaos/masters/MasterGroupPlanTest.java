// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.chaos.run.Seeds;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MasterGroupPlanTest {
    @Test
    void aSeedDrawsTheSameActsEveryTime() {
        assertThat(MasterGroupPlan.of(7)).isEqualTo(MasterGroupPlan.of(7));
    }

    /** A round of the other kind starts the group anew, and the short run relies on its two seeds. */
    @Test
    void roundsAreGuardedOrNotAndCertificatesAreRotatedInTheGuardedOnes() {
        assertThat(IntStream.range(0, 100)
                        .filter(seed -> MasterGroupPlan.of(seed).guarded()))
                .hasSizeBetween(30, 70);
        for (int seed = 0; seed < 300; seed++) {
            MasterGroupPlan plan = MasterGroupPlan.of(seed);
            assertThat(plan.guarded()
                            || plan.steps().stream()
                                    .noneMatch(step -> step.act().isOfGuard()))
                    .isTrue();
        }
        Set<MasterGroupAct> shortForm = EnumSet.noneOf(MasterGroupAct.class);
        MasterGroupPlan.of(174).steps().forEach(step -> shortForm.add(step.act()));
        MasterGroupPlan.of(251).steps().forEach(step -> shortForm.add(step.act()));
        assertThat(MasterGroupPlan.of(174).guarded() && MasterGroupPlan.of(251).guarded())
                .isTrue();
        assertThat(shortForm)
                .contains(
                        MasterGroupAct.FULL_FOLLOWER,
                        MasterGroupAct.CLOCK_WORKER,
                        MasterGroupAct.ROTATE_CERTIFICATES,
                        MasterGroupAct.ROTATE_AUTHORITY);
    }

    @Test
    void theLeaderIsKilledInEveryRoundAndEveryActIsDrawn() {
        Seeds seeds = Seeds.from(1);
        Set<MasterGroupAct> drawn = EnumSet.noneOf(MasterGroupAct.class);
        for (int i = 0; i < 400; i++) {
            MasterGroupPlan plan = MasterGroupPlan.of(seeds.next().getAsLong());
            assertThat(plan.steps())
                    .filteredOn(step -> step.act() == MasterGroupAct.KILL_LEADER)
                    .hasSize(1);
            plan.steps().forEach(step -> drawn.add(step.act()));
        }
        assertThat(drawn).containsExactlyInAnyOrder(MasterGroupAct.values());
    }
}
