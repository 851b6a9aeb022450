// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.model;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The bytes of a file version, made from a seed. A reader who knows the seed finds the first wrong byte.
 *
 * @param seed of the bytes; an even one gives bytes that compress
 */
public record SeededContent(long seed, int length) {
    private static final int LOW_BITS = 0x07;

    public SeededContent {
        if (length < 0) {
            throw new IllegalArgumentException("a content of %d bytes".formatted(length));
        }
    }

    /** Returns the bytes. */
    public byte[] bytes() {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        if ((seed & 1) == 0) {
            for (int i = 0; i < length; i++) {
                bytes[i] &= LOW_BITS;
            }
        }
        return bytes;
    }

    /** Returns whether both have equal bytes, as short contents may. */
    public boolean looksLike(SeededContent other) {
        return length == other.length && (seed == other.seed || length == 0 || mismatch(other.bytes()) < 0);
    }

    /** Returns the first place at which other bytes differ; -1 if they are equal. */
    public int mismatch(byte[] others) {
        return Arrays.mismatch(bytes(), others);
    }
}
