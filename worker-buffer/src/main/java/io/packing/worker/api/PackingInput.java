// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open file version. It checks every byte against its checksum. Reads go on after the file is sealed, pushed or
 * renamed; after a delete or overwrite they may fail with {@link java.io.FileNotFoundException}. Thread-safe.
 */
public interface PackingInput extends AutoCloseable {
    FileAttributes attributes();

    /** Reads at least one byte at {@code position} unless the buffer is full already; returns -1 at or past the end. */
    int read(long position, ByteBuffer into) throws IOException;

    /**
     * Reads for a client that reads the file once from its beginning to its end. A large extent that fits in the buffer
     * comes straight from the store, with one request, and leaves the cache as it is. So do several extents that lie
     * one behind the other.
     */
    default int readOnce(long position, ByteBuffer into) throws IOException {
        return read(position, into);
    }

    /**
     * Returns the largest end of the bytes that one read from the position returns. Their checksums cover them
     * together: a reader that takes them all with one read has each byte checked once. A move of the bytes may change
     * this end.
     */
    default long checkedEnd(long position) {
        return Math.min(attributes().length(), position + Extent.MAX_LENGTH);
    }

    /**
     * Returns the end of the bytes that {@link #readOnce} gets with one request into a large enough buffer.
     *
     * @param most bytes of the caller's buffer; the bytes of one checksum may exceed it
     */
    default long runEnd(long position, int most) {
        return checkedEnd(position);
    }

    @Override
    void close();
}
