// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.draft;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RangesTest {
    private static final int SIZE = 200;

    @Test
    void touchingRangesAreOne() {
        Ranges ranges = new Ranges();
        ranges.add(0, 10);
        ranges.add(20, 30);
        ranges.add(10, 20);
        assertThat(ranges.all()).containsExactly(new Ranges.Range(0, 30));
        ranges.remove(5, 6);
        assertThat(ranges.all()).isEqualTo(List.of(new Ranges.Range(0, 5), new Ranges.Range(6, 30)));
    }

    @Test
    void rangesAreASetOfOffsets() {
        Random random = Seed.random();
        Ranges ranges = new Ranges();
        BitSet model = new BitSet();
        for (int i = 0; i < 20_000; i++) {
            int start = random.nextInt(SIZE);
            int end = random.nextInt(SIZE);
            if (random.nextBoolean()) {
                ranges.add(start, end);
                model.set(start, Math.max(start, end));
            } else {
                ranges.remove(start, end);
                model.clear(start, Math.max(start, end));
            }
            int at = random.nextInt(SIZE);
            assertThat(ranges.total()).isEqualTo(model.cardinality());
            assertThat(ranges.coveredFrom(at)).isEqualTo(model.get(at) ? model.nextClearBit(at) : at);
            long next = model.nextSetBit(at);
            assertThat(ranges.nextFrom(at)).isEqualTo(next < 0 ? Long.MAX_VALUE : next);
            assertThat(ranges.covers(start, end)).isEqualTo(start >= end || model.nextClearBit(start) >= end);
        }
    }
}
