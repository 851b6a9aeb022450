// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A read with a check of its bytes, which reads damaged bytes again. Most damage happens on the way, in a cache or a
 * network card; a blob counts as damaged only when its store gave wrong bytes every time.
 */
public final class SoundRead {
    /** The number of reads: the first one, and further ones that go past every cache. */
    public static final int TRIES = 4;

    private SoundRead() {}

    /** A check that makes a value of bytes, and refuses damaged ones. */
    @FunctionalInterface
    public interface Check<T> {
        /**
         * Checks all bytes.
         *
         * @throws CorruptBlobException when they are damaged
         */
        T of(ByteBuffer bytes) throws CorruptBlobException;
    }

    /**
     * Returns the check's value of {@code length} bytes from {@code offset}; the check sees exactly that many.
     *
     * @throws CorruptBlobException when the bytes were damaged each time
     */
    public static <T> T of(RangeSource source, long offset, int length, Check<T> check) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                ByteBuffer bytes = tries == 1 ? source.read(offset, length) : source.readAgain(offset, length);
                return check.of(exactly(source, offset, length, bytes));
            } catch (CorruptBlobException e) {
                if (tries == TRIES) {
                    throw new CorruptBlobException(
                            "%s. The bytes were wrong each of %d times that they were read: the object itself is damaged, restore it from a copy"
                                    .formatted(e.getMessage(), tries),
                            e);
                }
            }
        }
    }

    /** Returns the bytes of an answer, which must have the requested length. */
    static ByteBuffer exactly(RangeSource source, long offset, int length, ByteBuffer bytes)
            throws CorruptBlobException {
        if (bytes.remaining() != length) {
            throw new CorruptBlobException(
                    "%s: %d bytes at %d+%d".formatted(source.name(), bytes.remaining(), offset, length));
        }
        return bytes.slice();
    }
}
