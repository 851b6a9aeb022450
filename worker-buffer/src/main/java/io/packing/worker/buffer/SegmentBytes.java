package io.packing.worker.buffer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Where the bytes of a segment are. One thread writes; any reads what is committed. */
interface SegmentBytes {
    /** Adds a record at a position; it is there for others after {@link #commit}. */
    void write(long at, ByteBuffer header, ByteBuffer stored) throws IOException;

    /** Hands over what was written, to stable storage when asked to. */
    void commit(boolean sync) throws IOException;

    /** Gives up what was written and not committed. */
    void discard();

    /** Stored bytes of an extent, for those who are never interrupted in the middle. */
    ByteBuffer read(long at, int length) throws IOException;

    /** The same into the rest of a buffer. */
    default void read(long at, ByteBuffer into) throws IOException {
        into.put(read(at, into.remaining()));
    }

    /** The same for anybody; fails with NoSuchFileException when the segment is gone. */
    ByteBuffer readAlone(long at, int length) throws IOException;

    /** The file that can become a blob as it is, if there is one. */
    Optional<SegmentFile> file();

    void close() throws IOException;

    void delete() throws IOException;
}
