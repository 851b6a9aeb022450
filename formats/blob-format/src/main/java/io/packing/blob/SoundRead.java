package io.packing.blob;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A read whose bytes are checked, and made again when they are damaged. Most damage happens on the way, in a cache or a
 * network card; a blob counts as damaged only when its store gave wrong bytes every time.
 */
public final class SoundRead {
    /** The first read and those after it, which go past every cache. */
    public static final int TRIES = 4;

    private SoundRead() {}

    /** Makes a value of bytes, and refuses those that are not what they should be. */
    @FunctionalInterface
    public interface Check<T> {
        /**
         * Checks all of the bytes.
         *
         * @throws CorruptBlobException when they are damaged
         */
        T of(ByteBuffer bytes) throws CorruptBlobException;
    }

    /**
     * What the check makes of {@code length} bytes from {@code offset}; the check sees exactly that many.
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

    /** Returns the bytes of an answer, which must be as many as were asked for. */
    static ByteBuffer exactly(RangeSource source, long offset, int length, ByteBuffer bytes)
            throws CorruptBlobException {
        if (bytes.remaining() != length) {
            throw new CorruptBlobException(
                    "%s: %d bytes at %d+%d".formatted(source.name(), bytes.remaining(), offset, length));
        }
        return bytes.slice();
    }
}
