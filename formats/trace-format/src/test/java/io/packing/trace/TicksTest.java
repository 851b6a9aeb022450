// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TicksTest {
    private static final int[] NANOS = {1, 3, 7, 999, 1_000, 10_000, 123_457, 1_000_000_000};

    @Test
    void ticksAreWhatADivisionRoundedDownGives() {
        long seed = Seed.value();
        Random random = new Random(seed);
        for (int nanos : NANOS) {
            Ticks ticks = new Ticks(nanos);
            for (int i = 0; i < 20_000; i++) {
                long time = random.nextLong() >> random.nextInt(64);
                same(ticks, nanos, time, seed);
                // Times at which rounding could go wrong.
                long whole = Math.floorDiv(time, nanos) * nanos;
                same(ticks, nanos, whole, seed);
                same(ticks, nanos, whole - 1, seed);
            }
        }
    }

    private static void same(Ticks ticks, int nanos, long time, long seed) {
        assertThat(ticks.of(time))
                .as("%d in ticks of %d, seed %d", time, nanos, seed)
                .isEqualTo(Math.floorDiv(time, nanos));
    }
}
