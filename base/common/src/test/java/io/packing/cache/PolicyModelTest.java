// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.seed.Seed;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every policy against a model with lists that are searched from end to end, on random requests. */
class PolicyModelTest {
    private static final int[] CAPACITIES = {1, 2, 3, 7, 10, 64, 150};

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "LHD")
    void agreesWithTheNaiveOneOnEveryRequest(CachePolicy policy) {
        for (int capacity : CAPACITIES) {
            BlockCache cache = policy.make(capacity, BlockCache.EvictionListener.UNHEARD);
            NaiveCaches.Naive model = NaiveCaches.of(policy, capacity);
            Random random = new Random(Seed.value() + capacity);
            for (int i = 0; i < 20_000; i++) {
                long block = block(random, capacity, i);
                assertThat(cache.request(block))
                        .as("%s of %d, request %d", policy, capacity, i)
                        .isEqualTo(model.request(block));
                if (i % 1000 == 0) {
                    assertThat(model.content())
                            .as("%s of %d, request %d", policy, capacity, i)
                            .allMatch(cache::contains)
                            .hasSize(cache.size());
                }
            }
        }
    }

    /**
     * The reported departures agree with the content: blocks that came in and neither left nor were removed are there.
     */
    @ParameterizedTest
    @EnumSource
    void tellsOfEveryBlockThatLeavesAndOfNoOther(CachePolicy policy) {
        for (int capacity : CAPACITIES) {
            Set<Long> inside = new HashSet<>();
            BlockCache cache = policy.make(
                    capacity,
                    left -> assertThat(inside.remove(left))
                            .as("%s of %d: %d left", policy, capacity, left)
                            .isTrue());
            Random random = new Random(Seed.value() + capacity);
            for (int i = 0; i < 20_000; i++) {
                long block = block(random, capacity, i);
                if (random.nextInt(10) == 0) {
                    assertThat(cache.remove(block)).isEqualTo(inside.remove(block));
                } else if (!cache.touch(block)) {
                    // Add it before, since a policy may turn the block itself away.
                    inside.add(block);
                    cache.insert(block);
                }
                assertThat(cache.size())
                        .as("%s of %d, request %d", policy, capacity, i)
                        .isEqualTo(inside.size())
                        .isLessThanOrEqualTo(capacity);
                assertThat(cache.contains(block)).isEqualTo(inside.contains(block));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void afterClearingItIsANewOne(CachePolicy policy) {
        BlockCache used = policy.make(50, BlockCache.EvictionListener.UNHEARD);
        BlockCache fresh = policy.make(50, BlockCache.EvictionListener.UNHEARD);
        Random random = Seed.random();
        for (int i = 0; i < 5000; i++) {
            used.request(block(random, 50, i));
        }
        used.clear();
        assertThat(used.size()).isZero();
        for (int i = 0; i < 5000; i++) {
            long block = block(random, 50, i);
            assertThat(used.request(block)).isEqualTo(fresh.request(block));
        }
    }

    @ParameterizedTest
    @EnumSource
    void isFoundByItsNameAndRefusesToHoldNothing(CachePolicy policy) {
        assertThat(CachePolicy.named(policy.label())).isEqualTo(policy);
        assertThatThrownBy(() -> policy.make(0, BlockCache.EvictionListener.UNHEARD))
                .hasMessageContaining("capacity 0");
        assertThatThrownBy(() -> CachePolicy.named("lur"))
                .hasMessageContaining("'lur'")
                .hasMessageContaining("w-tinylfu");
    }

    /** Returns a random block: some are hot, some in a loop, some seen once. */
    private static long block(Random random, int capacity, int at) {
        return switch (random.nextInt(4)) {
            case 0 -> 1_000_000L + at % (capacity + capacity / 2 + 1);
            case 1 -> -(long) at;
            default -> Math.round(Math.abs(random.nextGaussian()) * capacity);
        };
    }
}
