// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LruTierTest {
    @Test
    void agreesWithALinkedHashMapOnRandomOperations() {
        long seed = Seed.value();
        SplittableRandom random = new SplittableRandom(seed);
        LruTier tier = new LruTier(50);
        LinkedHashMap<Long, Boolean> model = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
                return size() > 50;
            }
        };
        for (int i = 0; i < 200_000; i++) {
            long key = random.nextLong(120) << 28;
            switch (random.nextInt(4)) {
                case 0 -> assertThat(tier.remove(key)).as("seed %d", seed).isEqualTo(model.remove(key) != null);
                case 1 -> assertThat(tier.touch(key)).as("seed %d", seed).isEqualTo(model.get(key) != null);
                default -> {
                    tier.insert(key, false);
                    model.put(key, true);
                }
            }
            assertThat(tier.size()).as("seed %d", seed).isEqualTo(model.size());
        }
    }

    @Test
    void theLeastRecentlyUsedLeavesFirst() {
        LruTier tier = new LruTier(2);
        tier.insert(1, false);
        tier.insert(2, true);
        tier.touch(1);
        assertThat(tier.insert(3, false)).isEqualTo(2);
        assertThat(tier.evictedDirty()).isTrue();
        assertThat(tier.contains(1)).isTrue();
    }

    @Test
    void aTierWithoutRoomGivesBackWhatIsPutIn() {
        assertThat(new LruTier(0).insert(7, false)).isEqualTo(7);
    }
}
