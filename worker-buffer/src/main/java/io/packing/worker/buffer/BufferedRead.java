package io.packing.worker.buffer;

import io.packing.blob.FileAttributes;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An open buffered file. Its bytes stay readable when the buffer forgets it. Every byte was checked. Thread-safe. */
public interface BufferedRead extends AutoCloseable {
    FileAttributes attributes();

    /** Reads at least one byte at {@code position} unless the buffer is full already; -1 at or past the end. */
    int read(long position, ByteBuffer into) throws IOException;

    @Override
    void close();
}
