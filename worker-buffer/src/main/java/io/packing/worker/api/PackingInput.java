package io.packing.worker.api;

import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open file version. Every byte was checked against its checksum. Reads go on after the file is sealed, pushed,
 * renamed; after a delete or overwrite they may fail with {@link java.io.FileNotFoundException}. Thread-safe.
 */
public interface PackingInput extends AutoCloseable {
    FileAttributes attributes();

    /** Reads at least one byte at {@code position} unless the buffer is full already; -1 at or past the end. */
    int read(long position, ByteBuffer into) throws IOException;

    /**
     * The same for somebody who takes a file from its beginning to its end, and not again soon: a large extent for which there is room
     * comes straight from the store, with one request, and leaves the cache as it is. So do several that lie one behind the other.
     */
    default int readOnce(long position, ByteBuffer into) throws IOException {
        return read(position, into);
    }

    /**
     * Where the bytes end that one read from the position gives at most. Bytes are checked together: a reader that takes all of
     * them with one read has each checked once. When they move, it may end elsewhere.
     */
    default long checkedEnd(long position) {
        return Math.min(attributes().length(), position + Extent.MAX_LENGTH);
    }

    /**
     * Where the bytes end that {@link #readOnce} gets with one request, if there is room for them.
     *
     * @param most bytes that there is room for; what is checked together may have more
     */
    default long runEnd(long position, int most) {
        return checkedEnd(position);
    }

    @Override
    void close();
}
