// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The store of a segment's bytes. One thread writes; any thread reads committed records. */
interface SegmentBytes {
    /** Adds a record at a position; other threads see it after {@link #commit}. */
    void write(long at, ByteBuffer header, ByteBuffer stored) throws IOException;

    /** Commits the written records, on stable storage if asked to. */
    void commit(boolean sync) throws IOException;

    /** Gives up the uncommitted records. */
    void discard();

    /** Reads the stored bytes of an extent; for threads that are never interrupted during a read. */
    ByteBuffer read(long at, int length) throws IOException;

    /** Reads into the rest of a buffer; for threads that are never interrupted during a read. */
    default void read(long at, ByteBuffer into) throws IOException {
        into.put(read(at, into.remaining()));
    }

    /**
     * Reads the stored bytes of an extent, for any thread.
     *
     * @throws java.nio.file.NoSuchFileException when the segment is gone
     */
    ByteBuffer readAlone(long at, int length) throws IOException;

    /** Returns the file that can become a blob as it is, if one exists. */
    Optional<SegmentFile> file();

    void close() throws IOException;

    void delete() throws IOException;
}
