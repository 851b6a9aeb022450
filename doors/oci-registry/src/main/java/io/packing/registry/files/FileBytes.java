// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.files;

import io.packing.worker.api.PackingInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/** The bytes of an open file as a stream, from a position on. Closing it closes the file, unless its opener does. Confined to one thread. */
public final class FileBytes extends BulkInputStream {
    private final PackingInput file;
    private final long end;
    private final boolean closesFile;
    private long position;

    public FileBytes(PackingInput file, long from) {
        this(file, from, true);
    }

    /** Returns the bytes of a file that its opener closes. */
    public static FileBytes leavingOpen(PackingInput file, long from) {
        return new FileBytes(file, from, false);
    }

    private FileBytes(PackingInput file, long from, boolean closesFile) {
        this.file = file;
        this.closesFile = closesFile;
        this.end = file.attributes().length();
        this.position = Math.min(from, end);
    }

    /** Reads the whole of a small file. */
    public static byte[] all(PackingInput file, int most) throws IOException {
        long length = file.attributes().length();
        if (length > most) {
            throw new IOException("a file of %d bytes, at most %d were expected".formatted(length, most));
        }
        try (FileBytes bytes = new FileBytes(file, 0)) {
            return bytes.readNBytes((int) length);
        }
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, into.length);
        if (count == 0) {
            return 0;
        }
        if (position >= end) {
            return -1;
        }
        int n = file.readOnce(position, ByteBuffer.wrap(into, offset, (int) Math.min(count, end - position)));
        if (n <= 0) {
            // A file version never changes: fewer bytes than it has are a failure, not its end.
            throw new EOFException("a file of %d bytes ended at %d".formatted(end, position));
        }
        position += n;
        return n;
    }

    @Override
    public void close() {
        if (closesFile) {
            file.close();
        }
    }
}
