package io.packing.chaos.masters;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.chaos.run.Seeds;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GroupPlanTest {
    @Test
    void aSeedDrawsTheSameActsEveryTime() {
        assertThat(GroupPlan.of(7)).isEqualTo(GroupPlan.of(7));
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
