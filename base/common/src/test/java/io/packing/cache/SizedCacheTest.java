// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import static io.packing.cache.SizedCache.Answer.HIT;
import static io.packing.cache.SizedCache.Answer.MISS;
import static io.packing.cache.SizedCache.Answer.TOO_LARGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.seed.Seed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SizedCacheTest {
    private final List<Long> left = new ArrayList<>();

    private SizedCache cache(CachePolicy policy, long bytes) {
        return policy.makeSized(bytes, left::add);
    }

    @Test
    void lruMakesRoomForALargeObjectByEvictingSeveral() {
        SizedCache cache = cache(CachePolicy.LRU, 10);
        assertThat(cache.request(1, 3)).isEqualTo(MISS);
        assertThat(cache.request(2, 3)).isEqualTo(MISS);
        assertThat(cache.request(3, 4)).isEqualTo(MISS);
        assertThat(cache.request(1, 3)).isEqualTo(HIT);
        // 5 bytes need the room of 2 and 3; 1 was used after them.
        assertThat(cache.request(4, 5)).isEqualTo(MISS);
        assertThat(left).containsExactly(2L, 3L);
        assertThat(cache.bytes()).isEqualTo(8);
        assertThat(cache.size()).isEqualTo(2);
        // 2 bytes fit beside.
        assertThat(cache.request(5, 2)).isEqualTo(MISS);
        assertThat(left).hasSize(2);
    }

    @Test
    void whatIsLargerThanTheCachePassesByAndEvictsNothing() {
        for (CachePolicy policy : List.of(CachePolicy.LRU, CachePolicy.SIEVE, CachePolicy.ARC)) {
            SizedCache cache = cache(policy, 10);
            assertThat(cache.request(1, 10)).isEqualTo(MISS);
            assertThat(cache.request(2, 11)).isEqualTo(TOO_LARGE);
            assertThat(cache.request(2, 11)).isEqualTo(TOO_LARGE);
            assertThat(cache.request(1, 10)).isEqualTo(HIT);
        }
        // The small queue of S3-FIFO has 10 of 100 bytes.
        SizedCache cache = cache(CachePolicy.S3_FIFO, 100);
        assertThat(cache.request(1, 11)).isEqualTo(TOO_LARGE);
        assertThat(cache.request(2, 10)).isEqualTo(MISS);
        assertThat(left).isEmpty();
    }

    @Test
    void anObjectThatGrowsPushesOthersOutAndLeavesWhenItOutgrowsTheCache() {
        for (CachePolicy policy : List.of(CachePolicy.LRU, CachePolicy.SIEVE, CachePolicy.ARC)) {
            left.clear();
            SizedCache cache = cache(policy, 10);
            cache.request(1, 4);
            cache.request(2, 4);
            assertThat(cache.request(2, 8)).isEqualTo(HIT);
            assertThat(left).containsExactly(1L);
            assertThat(cache.bytes()).isEqualTo(8);
            assertThat(cache.request(2, 2)).isEqualTo(HIT);
            assertThat(cache.bytes()).isEqualTo(2);
            assertThat(cache.request(2, 11)).isEqualTo(HIT);
            assertThat(left).containsExactly(1L, 2L);
            assertThat(cache.bytes()).isZero();
        }
    }

    @Test
    void sieveSparesWhatWasRequestedAndGoesOnWhereItWas() {
        SizedCache cache = cache(CachePolicy.SIEVE, 10);
        cache.request(1, 2);
        cache.request(2, 3);
        cache.request(3, 5);
        cache.request(1, 2);
        // The hand spares 1, evicts 2, and for the last missing byte 3.
        assertThat(cache.request(4, 4)).isEqualTo(MISS);
        assertThat(left).containsExactly(2L, 3L);
        assertThat(cache.bytes()).isEqualTo(6);
    }

    @Test
    void s3FifoLetsInToTheMainQueueWhoseNameItKnows() {
        SizedCache cache = cache(CachePolicy.S3_FIFO, 20);
        // The small queue has 2 bytes: 20 objects of 1 byte fill the cache, and the next ones push out the oldest.
        for (int i = 1; i <= 21; i++) {
            cache.request(i, 1);
        }
        assertThat(left).containsExactly(1L);
        // The name of 1 is known: it comes back, and 2 goes.
        assertThat(cache.request(1, 2)).isEqualTo(MISS);
        assertThat(left).containsExactly(1L, 2L, 3L);
        for (int i = 100; i < 200; i++) {
            cache.request(i, 1);
        }
        assertThat(cache.request(1, 2))
                .as("in the main queue scans do not reach it")
                .isEqualTo(HIT);
    }

    @ParameterizedTest
    @EnumSource(
            value = CachePolicy.class,
            names = {"LRU", "SIEVE", "S3_FIFO", "ARC", "TWO_QUEUE", "GDSF", "HYPERBOLIC"})
    void objectsOfOneSizeHitAsOftenAsBlocks(CachePolicy policy) {
        long first = Seed.value();
        for (long seed = first; seed < first + 20; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            BlockCache blocks = policy.make(50, BlockCache.EvictionListener.UNHEARD);
            SizedCache sized = cache(policy, 50 * 4096);
            for (int i = 0; i < 5000; i++) {
                long object = (long) Math.abs(random.nextGaussian() * 60);
                assertThat(sized.request(object, 4096) == HIT)
                        .as("request %d of seed %d", i, seed)
                        .isEqualTo(blocks.request(object));
            }
        }
    }

    /** The model is a slow cache by the definition. */
    @Test
    void lruHoldsTheMostRecentObjectsThatFit() {
        SplittableRandom random = new SplittableRandom(Seed.value());
        SizedCache cache = cache(CachePolicy.LRU, 1000);
        Map<Long, Long> naive = new LinkedHashMap<>();
        for (int i = 0; i < 20_000; i++) {
            long object = (long) Math.abs(random.nextGaussian() * 20);
            long bytes = random.nextLong(1, 300);
            Long was = naive.remove(object);
            SizedCache.Answer answer = cache.request(object, bytes);
            assertThat(answer).isEqualTo(was == null ? MISS : HIT);
            naive.put(object, bytes);
            while (naive.values().stream().mapToLong(b -> b).sum() > 1000) {
                naive.remove(naive.keySet().iterator().next());
            }
            assertThat(cache.bytes())
                    .isEqualTo(naive.values().stream().mapToLong(b -> b).sum());
            assertThat(cache.size()).isEqualTo(naive.size());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CachePolicy.class,
            names = {"LRU", "SIEVE", "S3_FIFO", "ARC", "TWO_QUEUE", "GDSF", "HYPERBOLIC"})
    void whateverIsAskedForNoMoreThanTheCapacityIsHeldAndWhatCameInLeftOrIsThere(CachePolicy policy) {
        SplittableRandom random = new SplittableRandom(Seed.value());
        SizedCache cache = cache(policy, 10_000);
        Map<Long, Long> sizes = new HashMap<>();
        long came = 0;
        for (int i = 0; i < 50_000; i++) {
            long bytes = random.nextInt(100) == 0 ? random.nextLong(1, 12_000) : random.nextLong(1, 400);
            long object = (long) Math.abs(random.nextGaussian() * 100);
            boolean there = cache.contains(object);
            SizedCache.Answer answer = cache.request(object, bytes);
            assertThat(answer == HIT).isEqualTo(there);
            // An object that has grown may be the one that leaves.
            boolean grew = answer == HIT && bytes > sizes.getOrDefault(object, 0L);
            sizes.put(object, bytes);
            // GDSF may turn a new object away.
            if (!grew && policy != CachePolicy.GDSF) {
                assertThat(cache.contains(object))
                        .as("object %d of %d bytes, %s", object, bytes, answer)
                        .isEqualTo(answer != TOO_LARGE && bytes <= 10_000);
            }
            came += answer == MISS ? 1 : 0;
            assertThat(cache.bytes()).isBetween(0L, 10_000L);
        }
        assertThat(came).isEqualTo(left.size() + cache.size());
    }

    /** Removals and sizes that change leave the sums of the lists right, and call no listener. */
    @ParameterizedTest
    @EnumSource(
            value = CachePolicy.class,
            names = {"LRU", "SIEVE", "S3_FIFO", "ARC", "TWO_QUEUE", "GDSF", "HYPERBOLIC"})
    void whatIsRemovedIsGoneAndNotTold(CachePolicy policy) {
        SplittableRandom random = new SplittableRandom(Seed.value());
        Map<Long, Long> inside = new HashMap<>();
        SizedCache cache = policy.makeSized(
                10_000, object -> assertThat(inside.remove(object)).isNotNull());
        for (int i = 0; i < 50_000; i++) {
            long object = (long) Math.abs(random.nextGaussian() * 100);
            if (random.nextInt(10) == 0) {
                assertThat(cache.remove(object)).isEqualTo(inside.remove(object) != null);
            } else {
                long bytes = random.nextLong(1, 400);
                // An object that has grown may leave by its own request.
                inside.put(object, bytes);
                if (cache.request(object, bytes) == TOO_LARGE) {
                    inside.remove(object);
                }
            }
            assertThat(cache.contains(object)).isEqualTo(inside.containsKey(object));
            assertThat(cache.size()).isEqualTo(inside.size());
            assertThat(cache.bytes())
                    .isEqualTo(inside.values().stream().mapToLong(each -> each).sum());
        }
    }

    @Test
    void policiesThatCountBlocksOnlyAreRefusedByName() {
        assertThatThrownBy(() -> cache(CachePolicy.W_TINYLFU, 10))
                .hasMessageContaining("no policy 'w-tinylfu' for a cache by bytes; there are lru, sieve, s3-fifo, arc");
    }

    @Test
    void arcKeepsWhatWasSeenAgainFromWhatIsSeenOnce() {
        SizedCache cache = cache(CachePolicy.ARC, 10);
        cache.request(1, 4);
        assertThat(cache.request(1, 4)).isEqualTo(HIT);
        for (int i = 100; i < 120; i++) {
            assertThat(cache.request(i, 3)).isEqualTo(MISS);
        }
        assertThat(cache.contains(1)).isTrue();
        assertThat(cache.contains(119)).isTrue();
        assertThat(cache.contains(100)).isFalse();
        assertThat(cache.remove(1)).isTrue();
        assertThat(cache.remove(1)).isFalse();
        assertThat(cache.request(1, 4)).isEqualTo(MISS);
        assertThat(left).doesNotContain(1L);
    }

    @Test
    void arcGivesRoomToTheListWhoseNamesComeBack() {
        SizedCache cache = cache(CachePolicy.ARC, 10);
        cache.request(1, 5);
        cache.request(1, 5);
        cache.request(2, 5);
        // Its name stays, and when it comes back objects seen once get more room than before.
        assertThat(cache.request(3, 5)).isEqualTo(MISS);
        assertThat(left).containsExactly(2L);
        assertThat(cache.request(2, 5)).isEqualTo(MISS);
        assertThat(cache.contains(3)).as("seen once, and in its share").isTrue();
        assertThat(cache.contains(1)).isFalse();
    }
}
