// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.packing.seed.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LhdCacheTest {
    @Test
    void densityIsTheHitsThatAreStillToComeForTheTimeThatTheyTake() {
        HitDensities densities = new HitDensities();
        densities.hit(3, 1);
        densities.eviction(3, 2);
        densities.model();
        // At age 0 one of two entries hits, and they take 2 and 3 steps: 1/2 for 5/2. At age 1 they take 1 and 2.
        assertThat(densities.of(3, 0)).isCloseTo(1 / 5.0, within(1e-12));
        assertThat(densities.of(3, 1)).isCloseTo(1 / 3.0, within(1e-12));
        assertThat(densities.of(3, 2)).isZero();
        assertThat(densities.of(4, 0)).as("no entry of this class was seen").isZero();
    }

    @Test
    void olderCountsWeighLess() {
        HitDensities densities = new HitDensities();
        densities.hit(0, 0);
        densities.model();
        assertThat(densities.of(0, 0)).isCloseTo(1, within(1e-12));
        // The hit counts 0.9 by now, beside one eviction.
        densities.eviction(0, 0);
        densities.model();
        assertThat(densities.of(0, 0)).isCloseTo(0.9 / 1.9, within(1e-12));
    }

    @Test
    void theClassIsTheLogarithmOfTheLastTwoAges() {
        assertThat(HitDensities.classOf(2 * HitDensities.AGES)).isZero();
        assertThat(HitDensities.classOf(HitDensities.AGES)).isZero();
        assertThat(HitDensities.classOf(HitDensities.AGES / 2)).isEqualTo(1);
        assertThat(HitDensities.classOf(HitDensities.AGES / 8)).isEqualTo(3);
        assertThat(HitDensities.classOf(0)).isEqualTo(15);
    }

    /** A loop of twice the cache: LRU never hits, and densities keep a part of the loop. */
    @Test
    void hitsInALoopThatDoesNotFit() {
        BlockCache lhd = CachePolicy.LHD.make(500, BlockCache.EvictionListener.UNHEARD);
        BlockCache lru = CachePolicy.LRU.make(500, BlockCache.EvictionListener.UNHEARD);
        int hits = 0;
        for (int i = 0; i < 200_000; i++) {
            hits += lhd.request(i % 1000) ? 1 : 0;
            assertThat(lru.request(i % 1000)).isFalse();
        }
        assertThat(hits).isGreaterThan(200_000 / 4);
    }

    /** Blocks that are requested once leave before blocks that hit. */
    @Test
    void keepsWhatHitsThroughOnesThatDoNot() {
        BlockCache cache = CachePolicy.LHD.make(100, BlockCache.EvictionListener.UNHEARD);
        Random random = Seed.random();
        int hits = 0;
        int requests = 0;
        for (int i = 0; i < 200_000; i++) {
            boolean hot = random.nextBoolean();
            boolean hit = cache.request(hot ? random.nextInt(80) : 1_000_000L + i);
            hits += hot && hit && i > 100_000 ? 1 : 0;
            requests += hot && i > 100_000 ? 1 : 0;
        }
        // LRU hits in half of them: as many cold blocks as hot ones push them out.
        assertThat(hits / (double) requests).isGreaterThan(0.8);
    }
}
