// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Random access to the bytes of one blob in any place: a file, an object, an array. */
public interface RangeSource {
    /** Returns the blob's name, for messages. */
    String name();

    /** Returns the blob's total length in bytes. */
    long length() throws IOException;

    /**
     * Reads exactly {@code length} bytes from {@code offset}, with one request. Past the end it throws an {@link
     * IOException}.
     */
    ByteBuffer read(long offset, int length) throws IOException;

    /**
     * Reads bytes again after an earlier read gave damaged ones: from the blob itself, past every cache in between. It
     * sends one request.
     */
    default ByteBuffer readAgain(long offset, int length) throws IOException {
        return read(offset, length);
    }

    /**
     * Fills the rest of a buffer with the bytes from {@code offset}, with one request. Past the end it throws an {@link
     * IOException}.
     */
    default void read(long offset, ByteBuffer into) throws IOException {
        into.put(SoundRead.exactly(this, offset, into.remaining(), read(offset, into.remaining())));
    }

    /** Returns the best size of a read for readers of the whole blob: large where a request takes long. */
    default int sequentialReadBytes() {
        return 2 * Extent.MAX_LENGTH;
    }
}
