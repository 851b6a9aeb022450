// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.load;

import java.nio.ByteBuffer;
import java.util.Random;

/** The content of numbered files: one random block, with the file's number at its start. Cheap to make and to check. */
public final class NumberedFileContent {
    private static final int NUMBER_BYTES = Long.BYTES;

    private final byte[] block;

    public NumberedFileContent(int size, long seed) {
        block = new byte[size];
        new Random(seed).nextBytes(block);
    }

    public ByteBuffer of(long number) {
        byte[] bytes = block.clone();
        if (bytes.length >= NUMBER_BYTES) {
            ByteBuffer.wrap(bytes).putLong(number);
        }
        return ByteBuffer.wrap(bytes);
    }

    public boolean matches(long number, ByteBuffer actual) {
        return of(number).equals(actual);
    }
}
