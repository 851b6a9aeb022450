// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExtentsTest {
    private static final int SIZE = 300;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyByteHasItsOwnPast(long run) {
        long seed = Seed.value() + run;
        SplittableRandom random = new SplittableRandom(seed);
        Extents extents = new Extents();
        int[] reads = new int[SIZE];
        long[] last = new long[SIZE];
        boolean[] written = new boolean[SIZE];
        Arrays.fill(last, Extents.NEVER);
        for (int nanos = 0; nanos < 400; nanos++) {
            int start = random.nextInt(SIZE - 1);
            int end = start + 1 + random.nextInt(Math.min(40, SIZE - start));
            assertThat(extents.lastRead(start, end))
                    .as("seed %d, %d to %d", seed, start, end)
                    .isEqualTo(Arrays.stream(last, start, Math.min(SIZE, end))
                            .max()
                            .orElse(Extents.NEVER));
            end = Math.min(SIZE, end);
            if (random.nextInt(4) == 0) {
                extents.written(start, end, false);
                Arrays.fill(written, start, end, true);
            } else {
                extents.read(start, end, nanos, true);
                for (int i = start; i < end; i++) {
                    reads[i]++;
                    last[i] = nanos;
                }
            }
        }
        long[] sums = new long[3];
        extents.forEach((bytes, piece) -> {
            sums[0] += bytes * piece.reads();
            sums[1] += piece.isWritten() ? bytes : 0;
            sums[2] += piece.isWritten() && piece.isCoreRead() ? bytes : 0;
        });
        int writtenBytes = 0;
        int both = 0;
        for (int i = 0; i < SIZE; i++) {
            writtenBytes += written[i] ? 1 : 0;
            both += written[i] && reads[i] > 0 ? 1 : 0;
        }
        assertThat(sums).containsExactly(Arrays.stream(reads).sum(), writtenBytes, both);
    }
}
