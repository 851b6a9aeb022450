// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos;

import io.packing.chaos.model.SeededContent;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** The sizes of files: many small, some empty, a few larger than a client's memory limit. */
final class Sizes {
    private static final int SPILL_BYTES = 64 << 10;
    private static final int MOST_BYTES = 700_000;
    private static final int COMMON = 16;

    private Sizes() {}

    static SeededContent small(RandomGenerator random) {
        int drawn = random.nextInt(10);
        int length = drawn == 0
                ? 0
                : drawn < 4
                        ? random.nextInt(1, 200)
                        : drawn < 9 ? random.nextInt(200, 12_000) : random.nextInt(12_000, SPILL_BYTES);
        return new SeededContent(random.nextLong(), length);
    }

    /** Draws one of a few small contents, so that many files have equal bytes. */
    static SeededContent common(RandomGenerator random) {
        return small(new SplittableRandom(random.nextInt(COMMON)));
    }

    /** Draws a content that clients write in slices, into blobs of its own. */
    static SeededContent large(RandomGenerator random) {
        int drawn = random.nextInt(4);
        // A quarter of the contents have exactly the limit's size or one byte more.
        int length = drawn == 0 ? SPILL_BYTES + random.nextInt(2) : random.nextInt(SPILL_BYTES, MOST_BYTES);
        return new SeededContent(random.nextLong(), length);
    }
}
