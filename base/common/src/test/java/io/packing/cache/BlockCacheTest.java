// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.packing.seed.Seed;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The evicted blocks, worked out by hand. */
class BlockCacheTest {
    @Test
    void lruEvictsWhatWasNotRequestedForLongest() {
        BlockCache cache = cache(CachePolicy.LRU, 2);
        assertThat(hits(cache, 1, 2, 1, 3, 1, 2)).isEqualTo(2);
        assertThat(cache.contains(3)).isFalse();
        assertThat(cache.size()).isEqualTo(2);
    }

    @Test
    void lruEqualsAnAccessOrderedMap() {
        BlockCache cache = cache(CachePolicy.LRU, 1500);
        Map<Long, Boolean> model = new LinkedHashMap<>(16, 0.75f, true);
        Random random = Seed.random();
        for (int i = 0; i < 100_000; i++) {
            long block = Math.round(Math.abs(random.nextGaussian() * 2000)) * 4096;
            assertThat(cache.request(block)).isEqualTo(model.put(block, true) != null);
            if (model.size() > 1500) {
                model.remove(model.keySet().iterator().next());
            }
            assertThat(cache.size()).isEqualTo(model.size());
        }
    }

    @Test
    void sieveSparesWhatWasRequestedAndKeepsTheHandWhereItStopped() {
        BlockCache cache = cache(CachePolicy.SIEVE, 3);
        // 4 passes over the marked 1 and evicts 2; the hand stays at 3, which 5 evicts; 6 evicts 4, not 1.
        assertThat(hits(cache, 1, 2, 3, 1, 4, 5, 6)).isEqualTo(1);
        assertThat(cache.contains(1)).isTrue();
        assertThat(cache.contains(2)).isFalse();
        assertThat(cache.contains(3)).isFalse();
        assertThat(cache.contains(4)).isFalse();
    }

    @Test
    void arcKeepsBlocksSeenAgainThroughAScan() {
        BlockCache cache = cache(CachePolicy.ARC, 4);
        hits(cache, 1, 2, 1, 2);
        hits(cache, 10, 11, 12, 13, 14, 15, 16, 17);
        assertThat(hits(cache, 1, 2)).isEqualTo(2);
        assertThat(cache.size()).isEqualTo(4);
    }

    @Test
    void arcCountsARequestForAnEvictedBlockAsAMissAndBringsItBack() {
        BlockCache cache = cache(CachePolicy.ARC, 2);
        // 1 is seen again; 2 is evicted for 3 and its name remembered.
        assertThat(hits(cache, 1, 1, 2, 3)).isEqualTo(1);
        assertThat(cache.contains(2)).isFalse();
        assertThat(cache.request(2)).isFalse();
        assertThat(cache.contains(2)).isTrue();
    }

    @Test
    void s3FifoLetsBlocksOfOneRequestLeaveTheSmallQueueFirst() {
        BlockCache cache = cache(CachePolicy.S3_FIFO, 10);
        // 1 and 2 fill the main queue's room with eight others; the small queue has room for one block, so the oldest
        // goes.
        hits(cache, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
        assertThat(cache.request(11)).isFalse();
        assertThat(cache.contains(1)).isFalse();
        assertThat(cache.contains(2)).isTrue();
        assertThat(cache.size()).isEqualTo(10);
    }

    @Test
    void s3FifoKeepsInTheMainQueueWhatWasRequestedTwiceMore() {
        BlockCache cache = cache(CachePolicy.S3_FIFO, 10);
        hits(cache, 1, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10);
        // 1 was requested three times and moves on; 2, only twice, leaves.
        cache.request(11);
        assertThat(cache.contains(1)).isTrue();
        assertThat(cache.contains(2)).isFalse();
        // The name is known: it enters again, and outlives a scan of more blocks than the cache holds.
        assertThat(cache.request(2)).isFalse();
        for (int block = 100; block < 120; block++) {
            cache.request(block);
        }
        assertThat(hits(cache, 1, 2)).isEqualTo(2);
    }

    @Test
    void s3FifoMakesRoomBeforeItLooksForTheName() {
        BlockCache cache = cache(CachePolicy.S3_FIFO, 2);
        // One name fits. 2 is known at its request, but 3 leaves for it and its name takes the place of 2's. So 2 is a
        // new block, and two more push it out of the small queue. In the main queue it would have stayed.
        hits(cache, 1, 2, 3, 4, 2, 5, 6);
        assertThat(cache.contains(2)).isFalse();
        assertThat(cache.size()).isEqualTo(2);
    }

    @Test
    void windowTinyLfuKeepsFrequentBlocksThroughAScan() {
        BlockCache cache = cache(CachePolicy.W_TINYLFU, 100);
        for (int round = 0; round < 3; round++) {
            for (int block = 0; block < 99; block++) {
                cache.request(block);
            }
        }
        for (int block = 1000; block < 1100; block++) {
            cache.request(block);
        }
        for (int block = 0; block < 98; block++) {
            assertThat(cache.contains(block)).as("block %d", block).isTrue();
        }
        assertThat(cache.size()).isEqualTo(100);
        assertThat(cache.contains(1099)).as("the last one is in the window").isTrue();
        assertThat(cache.contains(1098)).isFalse();
    }

    @Test
    void windowTinyLfuAdmitsACandidateThatWasRequestedMoreOften() {
        BlockCache cache = cache(CachePolicy.W_TINYLFU, 2);
        // The cache has a window of one block and one in probation. 2 pushes 1 on; 3 brings 2 against 1: equally often,
        // so 2 goes.
        hits(cache, 1, 2, 3);
        assertThat(cache.contains(1)).isTrue();
        assertThat(cache.contains(2)).isFalse();
        // 3 is requested again; 4 brings it against 1, twice against once.
        hits(cache, 3, 4);
        assertThat(cache.contains(1)).isFalse();
        assertThat(cache.contains(3)).isTrue();
    }

    @Test
    void gdsfEvictsTheFewestRequestsAndForgetsOldOnesByTheAgeOfTheCache() {
        BlockCache cache = cache(CachePolicy.GDSF, 2);
        // 1 has priority 3. 3 evicts 2, and the age becomes 1; 4 has 1 + 1 and evicts 3. 5 has 2 and evicts 4: the age
        // is 2. 6 has 3.
        assertThat(hits(cache, 1, 1, 1, 2, 3, 4, 5, 6)).isEqualTo(2);
        assertThat(cache.contains(1)).isTrue();
        assertThat(cache.contains(5)).isFalse();
        // 1, 6 and 7 have priority 3 each; 1 is without a request for longest. LFU would keep it for ever.
        cache.request(7);
        assertThat(cache.contains(1)).isFalse();
        assertThat(cache.contains(6)).isTrue();
    }

    @Test
    void gdsfTurnsANewBlockOfTheLowestPriorityAway() {
        BlockCache cache = cache(CachePolicy.GDSF, 1);
        assertThat(hits(cache, 1, 1, 2)).isEqualTo(1);
        assertThat(cache.contains(1)).isTrue();
        // The age is 1 now: 2 has priority 2, as 1 has, and was requested later.
        assertThat(cache.request(2)).isFalse();
        assertThat(cache.contains(2)).isTrue();
    }

    @Test
    void hyperbolicEvictsTheFewestRequestsForItsTimeInTheCache() {
        BlockCache cache = cache(CachePolicy.HYPERBOLIC, 2);
        hits(cache, 1, 1, 1, 2, 2);
        // 1: 3 requests in 5, 2: 2 in 2. So 1 leaves, though it has more requests.
        cache.request(3);
        assertThat(cache.contains(1)).isFalse();
        assertThat(cache.contains(2)).isTrue();
        // 2: 2 requests in 3, 3: 1 in 1. So 2 leaves, the last of the two in neither order.
        cache.request(4);
        assertThat(cache.contains(2)).isFalse();
        assertThat(cache.contains(3)).isTrue();
    }

    @Test
    void lecarBelievesThePolicyLessWhoseChoiceIsRequestedAgain() {
        LecarCache cache = LecarCache.ofBlocks(2, BlockCache.EvictionListener.UNHEARD);
        assertThat(cache.lruWeight()).isEqualTo(0.5);
        hits(cache, 1, 1, 2);
        // LRU would evict 1, LFU 2, each with one half.
        cache.request(3);
        boolean byLru = !cache.contains(1);
        assertThat(cache.contains(2)).isEqualTo(byLru);
        assertThat(cache.lruWeight()).isEqualTo(0.5);
        // The one that left is requested one request later: the regret is 0.005 to the power of 1/2.
        cache.request(byLru ? 1 : 2);
        double factor = Math.exp(-0.45 * Math.sqrt(0.005));
        double lowered = 0.5 * factor / (0.5 * factor + 0.5);
        assertThat(cache.lruWeight()).isCloseTo(byLru ? lowered : 1 - lowered, within(1e-12));
    }

    @Test
    void aCacheWithoutRoomIsRefused() {
        assertThatThrownBy(() -> cache(CachePolicy.LRU, 0)).hasMessageContaining("capacity 0");
    }

    private static BlockCache cache(CachePolicy policy, int capacity) {
        return policy.make(capacity, BlockCache.EvictionListener.UNHEARD);
    }

    private static int hits(BlockCache cache, long... blocks) {
        int hits = 0;
        for (long block : blocks) {
            hits += cache.request(block) ? 1 : 0;
        }
        return hits;
    }
}
