// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.sim.tier.TieredCache.FlashHit;
import io.packing.sim.tier.TieredCache.Found;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TieredCacheTest {
    private final List<Long> destaged = new ArrayList<>();

    private TieredCache cache(int ram, int flash, FlashHit hit) {
        return new TieredCache(new LruTier(ram), new LruTier(flash), hit, destaged::add);
    }

    private static Found read(TieredCache cache, long key) {
        Found found = cache.find(key);
        if (found == Found.NOWHERE) {
            cache.admit(key);
        }
        return found;
    }

    @Test
    void whatRamEvictsIsFoundInFlash() {
        TieredCache cache = cache(1, 2, FlashHit.KEEP);
        read(cache, 1);
        read(cache, 2);
        assertThat(read(cache, 1)).isEqualTo(Found.FLASH);
        assertThat(read(cache, 2)).isEqualTo(Found.RAM);
        assertThat(cache.flashPagesWritten()).isEqualTo(1);
    }

    @Test
    void promotionWearsTheFlashAndKeepingDoesNot() {
        for (FlashHit hit : FlashHit.values()) {
            TieredCache cache = cache(1, 2, hit);
            read(cache, 1);
            read(cache, 2);
            for (int i = 0; i < 10; i++) {
                read(cache, 1 + i % 2);
            }
            // Each promotion evicts the other page to flash: one write, then ten more.
            assertThat(cache.flashPagesWritten()).as(hit.name()).isEqualTo(hit == FlashHit.PROMOTE ? 11 : 1);
            assertThat(cache.pages()).isEqualTo(2);
        }
    }

    @Test
    void promotionMakesTheTwoTiersOneLru() {
        TieredCache tiers = cache(2, 3, FlashHit.PROMOTE);
        TieredCache one = cache(5, 0, FlashHit.PROMOTE);
        long state = 1;
        for (int i = 0; i < 50_000; i++) {
            state = state * 6364136223846793005L + 1442695040888963407L;
            long key = (state >>> 33) % 9;
            assertThat(read(tiers, key) == Found.NOWHERE).isEqualTo(read(one, key) == Found.NOWHERE);
        }
    }

    @Test
    void aCrashLosesRamAndKeepsFlash() {
        TieredCache cache = cache(1, 1, FlashHit.PROMOTE);
        read(cache, 1);
        read(cache, 2);
        cache.crash();
        assertThat(cache.find(2)).isEqualTo(Found.NOWHERE);
        assertThat(cache.find(1)).isEqualTo(Found.FLASH);
    }

    @Test
    void aBufferedPageIsWrittenWhenItLeavesTheFlash() {
        TieredCache cache = cache(1, 1, FlashHit.PROMOTE);
        cache.buffer(7);
        assertThat(read(cache, 7)).isEqualTo(Found.FLASH);
        cache.buffer(8);
        assertThat(destaged).containsExactly(7L);
        cache.clean(8);
        cache.buffer(9);
        assertThat(destaged).containsExactly(7L);
    }
}
