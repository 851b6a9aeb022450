package io.packing.chaos.masters;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.chaos.run.Seeds;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GroupPlanTest {
    @Test
    void aSeedDrawsTheSameActsEveryTime() {
        assertThat(GroupPlan.of(7)).isEqualTo(GroupPlan.of(7));
    }

    /** A round of the other kind starts the group anew, and the short run relies on its two seeds. */
    @Test
    void roundsAreGuardedOrNotAndCertificatesAreRotatedInTheGuardedOnes() {
        assertThat(IntStream.range(0, 100).filter(seed -> GroupPlan.of(seed).guarded()))
                .hasSizeBetween(30, 70);
        for (int seed = 0; seed < 300; seed++) {
            GroupPlan plan = GroupPlan.of(seed);
            assertThat(plan.guarded()
                            || plan.steps().stream()
                                    .noneMatch(step -> step.act().isOfGuard()))
                    .isTrue();
        }
        Set<GroupAct> shortForm = EnumSet.noneOf(GroupAct.class);
        GroupPlan.of(174).steps().forEach(step -> shortForm.add(step.act()));
        GroupPlan.of(251).steps().forEach(step -> shortForm.add(step.act()));
        assertThat(GroupPlan.of(174).guarded() && GroupPlan.of(251).guarded()).isTrue();
        assertThat(shortForm)
                .contains(
                        GroupAct.FULL_FOLLOWER,
                        GroupAct.CLOCK_WORKER,
                        GroupAct.ROTATE_CERTIFICATES,
                        GroupAct.ROTATE_AUTHORITY);
    }

    @Test
    void theLeaderIsKilledInEveryRoundAndEveryActIsDrawn() {
        Seeds seeds = Seeds.from(1);
        Set<GroupAct> drawn = EnumSet.noneOf(GroupAct.class);
        for (int i = 0; i < 400; i++) {
            GroupPlan plan = GroupPlan.of(seeds.next().getAsLong());
            assertThat(plan.steps())
                    .filteredOn(step -> step.act() == GroupAct.KILL_LEADER)
                    .hasSize(1);
            plan.steps().forEach(step -> drawn.add(step.act()));
        }
        assertThat(drawn).containsExactlyInAnyOrder(GroupAct.values());
    }
}
