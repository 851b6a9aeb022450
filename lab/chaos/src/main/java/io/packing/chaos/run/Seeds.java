// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.run;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/** The seeds of the rounds, one after the other. */
public record Seeds(String text, LongSupplier next) {
    /** Makes different seeds from one. */
    public static Seeds from(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return new Seeds(Long.toString(seed), () -> random.nextLong() >>> 16);
    }

    /** Repeats one seed. */
    public static Seeds always(long seed) {
        return new Seeds("round " + seed, () -> seed);
    }
}
