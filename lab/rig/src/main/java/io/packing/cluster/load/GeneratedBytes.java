// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster.load;

import java.util.SplittableRandom;

/** The bytes of the generator's files. Any process can derive them from the seed and the file's number. */
final class GeneratedBytes {
    private final long seed;
    private final int size;

    GeneratedBytes(long seed, int size) {
        this.seed = seed;
        this.size = size;
    }

    /** Returns the incompressible bytes of file {@code index}. */
    byte[] of(int index) {
        byte[] bytes = new byte[size];
        new SplittableRandom(seed * 0x9E3779B97F4A7C15L + index).nextBytes(bytes);
        return bytes;
    }
}
