// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.cache.CachePolicy;
import io.packing.seed.Seed;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PolicyTierTest {
    /**
     * A dirty page must never be lost: the tier has it, gave it back as dirty, or marked it as clean, or removed it.
     */
    @ParameterizedTest
    @EnumSource
    void givesEveryPageBackThatLeavesWithItsDirtyMark(CachePolicy policy) {
        long seed = Seed.value();
        SplittableRandom random = new SplittableRandom(seed);
        Tier tier = Tier.of(policy, 50);
        Map<Long, Boolean> model = new HashMap<>();
        for (int i = 0; i < 200_000; i++) {
            long key = random.nextLong(120) << 28;
            switch (random.nextInt(8)) {
                case 0 -> assertThat(tier.remove(key)).as("seed %d", seed).isEqualTo(model.remove(key) != null);
                case 1, 2 -> assertThat(tier.touch(key)).as("seed %d", seed).isEqualTo(model.containsKey(key));
                case 3 -> {
                    tier.clean(key);
                    model.computeIfPresent(key, (page, dirty) -> false);
                }
                default -> {
                    boolean dirty = random.nextBoolean();
                    model.merge(key, dirty, Boolean::logicalOr);
                    for (long left = tier.insert(key, dirty); left != Tier.NOTHING; left = tier.nextEvicted()) {
                        assertThat(model.remove(left))
                                .as("seed %d, step %d", seed, i)
                                .isEqualTo(tier.evictedDirty());
                    }
                }
            }
            assertThat(tier.size())
                    .as("seed %d, step %d", seed, i)
                    .isEqualTo(model.size())
                    .isLessThanOrEqualTo(50);
            assertThat(tier.isDirty(key)).isEqualTo(model.getOrDefault(key, false));
            assertThat(tier.contains(key)).isEqualTo(model.containsKey(key));
        }
        tier.clear();
        assertThat(tier.size()).isZero();
        assertThat(tier.isDirty(model.keySet().iterator().next())).isFalse();
    }

    @Test
    void oneInsertionMayMakeSeveralPagesLeave() {
        Tier tier = Tier.of(CachePolicy.S3_FIFO, 20);
        Set<Long> left = new HashSet<>();
        int most = 0;
        SplittableRandom random = new SplittableRandom(Seed.value());
        for (int i = 0; i < 10_000; i++) {
            long key = random.nextInt(3) == 0 ? i + 1000 : random.nextInt(30);
            left.clear();
            for (long page = tier.insert(key, false); page != Tier.NOTHING; page = tier.nextEvicted()) {
                left.add(page);
            }
            most = Math.max(most, left.size());
        }
        assertThat(most).isGreaterThan(1);
    }

    @ParameterizedTest
    @EnumSource
    void withoutRoomItGivesBackWhatIsPutIn(CachePolicy policy) {
        Tier tier = Tier.of(policy, 0);
        assertThat(tier.insert(7, true)).isEqualTo(7);
        assertThat(tier.evictedDirty()).isTrue();
    }
}
