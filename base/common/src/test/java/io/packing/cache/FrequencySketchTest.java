// SPDX-License-Identifier: Apache-2.0
package io.packing.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FrequencySketchTest {
    @Test
    void countsUpToFifteen() {
        FrequencySketch sketch = new FrequencySketch(64);
        for (int i = 1; i <= 20; i++) {
            sketch.increment(7);
            assertThat(sketch.frequency(7)).isEqualTo(Math.min(15, i));
        }
        assertThat(sketch.frequency(8)).isZero();
    }

    @Test
    void neverSaysLessThanThereWereAndSeldomMore() {
        FrequencySketch sketch = new FrequencySketch(1024);
        Map<Long, Integer> counts = new HashMap<>();
        Random random = Seed.random();
        // The requests are fewer than the 10,240 after which all are halved.
        for (int i = 0; i < 5000; i++) {
            long block = random.nextInt(1000) * 4096L;
            sketch.increment(block);
            counts.merge(block, 1, Integer::sum);
        }
        int exact = 0;
        for (Map.Entry<Long, Integer> entry : counts.entrySet()) {
            int count = Math.min(15, entry.getValue());
            assertThat(sketch.frequency(entry.getKey())).isGreaterThanOrEqualTo(count);
            exact += sketch.frequency(entry.getKey()) == count ? 1 : 0;
        }
        assertThat(exact).isGreaterThan(counts.size() * 95 / 100);
    }

    @Test
    void halvesAllCountersAfterTenRequestsAWord() {
        FrequencySketch sketch = new FrequencySketch(2);
        for (int i = 0; i < 10; i++) {
            sketch.increment(1);
        }
        assertThat(sketch.frequency(1)).isEqualTo(10);
        for (int i = 0; i < 9; i++) {
            sketch.increment(2 + i % 2);
        }
        assertThat(sketch.frequency(1)).isGreaterThanOrEqualTo(10);
        int before = sketch.frequency(1);
        sketch.increment(4);
        assertThat(sketch.frequency(1)).isEqualTo(before / 2);
    }
}
