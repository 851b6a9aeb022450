// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/** The bytes of files by their number, which a reader finds again in them. */
final class NumberedContents {
    private static final long WRONG = -2;
    private static final int MOST_WORDS = 1_500;

    private NumberedContents() {}

    static byte[] bytes(long number) {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * (1 + new Random(number).nextInt(MOST_WORDS)));
        while (bytes.hasRemaining()) {
            bytes.putLong(number);
        }
        return bytes.array();
    }

    /** Returns the number of a content, or a number that none has. */
    static long number(byte[] bytes) {
        if (bytes.length < Long.BYTES) {
            return WRONG;
        }
        long number = ByteBuffer.wrap(bytes).getLong();
        return Arrays.equals(bytes, bytes(number)) ? number : WRONG;
    }
}
