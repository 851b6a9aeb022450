package io.packing.blob;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Random access to the bytes of one blob, wherever it is: a file, an object, an array. */
public interface RangeSource {
    /** Returns the blob's name, for messages. */
    String name();

    /** Returns the blob's total length in bytes. */
    long length() throws IOException;

    /** Exactly {@code length} bytes from {@code offset}; one request. Past the end is an {@link IOException}. */
    ByteBuffer read(long offset, int length) throws IOException;

    /**
     * The same bytes once more, after those of an earlier read turned out to be damaged: from where the blob is, past every
     * cache in between. One request.
     */
    default ByteBuffer readAgain(long offset, int length) throws IOException {
        return read(offset, length);
    }

    /** Fills the rest of a buffer with the bytes from {@code offset}; one request. Past the end is an {@link IOException}. */
    default void read(long offset, ByteBuffer into) throws IOException {
        into.put(SoundRead.exactly(this, offset, into.remaining(), read(offset, into.remaining())));
    }

    /** How much to ask for at once when all is read in order: where a request takes long, much. */
    default int sequentialReadBytes() {
        return 2 * Extent.MAX_LENGTH;
    }
}
