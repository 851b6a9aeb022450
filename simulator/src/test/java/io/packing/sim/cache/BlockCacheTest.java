package io.packing.sim.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which block goes, worked out by hand. */
class BlockCacheTest {
    @Test
    void lruEvictsWhatWasNotRequestedForLongest() {
        var cache = new LruCache(2);
        assertThat(hits(cache, 1, 2, 1, 3, 1, 2)).isEqualTo(2);
        assertThat(cache.contains(3)).isFalse();
        assertThat(cache.size()).isEqualTo(2);
    }

    @Test
    void lruEqualsAnAccessOrderedMap() {
        var cache = new LruCache(1500);
        Map<Long, Boolean> model = new LinkedHashMap<>(16, 0.75f, true);
        var random = new Random(1);
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
        var cache = new SieveCache(3);
        // 4 passes over the marked 1 and evicts 2; the hand stays at 3, which 5 evicts; 6 evicts 4, not 1.
        assertThat(hits(cache, 1, 2, 3, 1, 4, 5, 6)).isEqualTo(1);
        assertThat(cache.contains(1)).isTrue();
        assertThat(cache.contains(2)).isFalse();
        assertThat(cache.contains(3)).isFalse();
        assertThat(cache.contains(4)).isFalse();
    }

    @Test
    void arcKeepsBlocksSeenAgainThroughAScan() {
        var cache = new ArcCache(4);
        hits(cache, 1, 2, 1, 2);
        hits(cache, 10, 11, 12, 13, 14, 15, 16, 17);
        assertThat(hits(cache, 1, 2)).isEqualTo(2);
        assertThat(cache.size()).isEqualTo(4);
    }

    @Test
    void arcCountsARequestForAnEvictedBlockAsAMissAndBringsItBack() {
        var cache = new ArcCache(2);
        // 1 is seen again; 2 is evicted for 3 and its name remembered.
        assertThat(hits(cache, 1, 1, 2, 3)).isEqualTo(1);
        assertThat(cache.contains(2)).isFalse();
        assertThat(cache.request(2)).isFalse();
        assertThat(cache.contains(2)).isTrue();
    }

    @Test
    void aCacheWithoutRoomIsRefused() {
        assertThatThrownBy(() -> new LruCache(0)).hasMessageContaining("capacity 0");
    }

    private static int hits(BlockCache cache, long... blocks) {
        int hits = 0;
        for (long block : blocks) {
            hits += cache.request(block) ? 1 : 0;
        }
        return hits;
    }
}
