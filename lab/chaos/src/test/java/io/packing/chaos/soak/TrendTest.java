// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.seed.Seed;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** A test of the judgement of a soak. */
class TrendTest {
    private static final int SAMPLES = 60;

    private static Trend.Verdict verdict(IntToDoubleFunction sample) {
        Trend trend = new Trend("heap", 4, 0.15);
        for (int i = 0; i < SAMPLES; i++) {
            trend.add(sample.applyAsDouble(i));
        }
        return trend.verdict();
    }

    @Test
    void aQuantityThatFillsAtFirstAndThenMovesIsFlat() {
        Random random = Seed.random();
        assertThat(verdict(i -> Math.min(i, 15) * 4 + random.nextInt(8)).flat()).isTrue();
    }

    @Test
    void aSlowGrowthIsFoundBelowTheNoise() {
        Random random = Seed.random();
        Trend.Verdict leak = verdict(i -> 30 + 0.5 * i + random.nextInt(8));
        assertThat(leak.flat()).isFalse();
        assertThat(leak.line()).contains("GREW", "allowed");
    }

    @Test
    void aPeakIsNoGrowth() {
        assertThat(verdict(i -> i % 19 == 0 ? 500 : 30).flat()).isTrue();
    }

    @Test
    void fewSamplesAreNoJudgement() {
        Trend trend = new Trend("disk", 1, 0);
        for (int i = 1; i < Trend.FEWEST; i++) {
            trend.add(1);
        }
        assertThatThrownBy(trend::verdict)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("soak for longer");
    }
}
