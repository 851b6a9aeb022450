package io.packing.chaos.model;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The bytes of a file version, made from a number: who knows the number can say which of the bytes that were read is wrong.
 *
 * @param seed of the bytes; an even one gives bytes that a codec makes smaller
 */
public record Content(long seed, int length) {
    private static final int LOW_BITS = 0x07;

    public Content {
        if (length < 0) {
            throw new IllegalArgumentException("a content of %d bytes".formatted(length));
        }
    }

    /** All of them. */
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

    /** Whether the bytes are the same: those of short contents may be. */
    public boolean looksLike(Content other) {
        return length == other.length && (seed == other.seed || length == 0 || mismatch(other.bytes()) < 0);
    }

    /** Where other bytes differ for the first time; -1: nowhere, and they are as many. */
    public int mismatch(byte[] others) {
        return Arrays.mismatch(bytes(), others);
    }
}
