// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.chaos.cluster.Encryption;
import io.packing.chaos.run.Seeds;
import io.packing.worker.api.MountOptions;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlanTest {
    private static final int ROUNDS = 1_000;

    @Test
    void oneSeedIsOnePlan() {
        Seeds seeds = Seeds.from(5);
        Seeds again = Seeds.from(5);
        for (int i = 0; i < 20; i++) {
            assertThat(Plan.of(seeds.next().getAsLong()))
                    .isEqualTo(Plan.of(again.next().getAsLong()));
        }
    }

    @Test
    void aThousandRoundsHaveEveryActWithEveryDurabilityAndEveryPolicyWithEveryEngine() {
        Seeds seeds = Seeds.from(1);
        Set<String> acts = new HashSet<>();
        Set<String> mounts = new HashSet<>();
        for (int i = 0; i < ROUNDS; i++) {
            Plan plan = Plan.of(seeds.next().getAsLong());
            plan.acts().forEach(act -> acts.add(plan.durability() + act));
            Map<String, String> mount = plan.site().mount();
            mounts.add(String.join(
                    " ",
                    plan.durability(),
                    mount.get("packing.policy"),
                    mount.get("packing.buffer.engine"),
                    mount.get("packing.buffer.values"),
                    plan.site().masterEngine()));
        }
        assertThat(acts).hasSize(3 * EnumSet.allOf(Act.class).size());
        assertThat(mounts).hasSize(3 * 3 * 2 * 2 * 2);
    }

    @Test
    void everyPlanIsOneThatAMountTakes() {
        Seeds seeds = Seeds.from(2);
        for (int i = 0; i < 100; i++) {
            Map<String, String> mount =
                    new HashMap<>(Plan.of(seeds.next().getAsLong()).site().mount());
            mount.put("packing.store", "s3://bucket/prefix");
            if (mount.containsKey(Encryption.OPTION)) {
                mount.put("packing.encryption.keystore", "file:/keys");
            }
            assertThat(MountOptions.from(mount).raw()).containsAllEntriesOf(mount);
        }
    }
}
