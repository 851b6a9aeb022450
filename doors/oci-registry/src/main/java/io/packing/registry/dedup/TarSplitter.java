// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.registry.files.BulkInputStream;
import io.packing.registry.tar.NotATarException;
import io.packing.registry.tar.TarEntry;
import io.packing.registry.tar.TarReader;
import java.io.IOException;
import java.io.InputStream;

/**
 * Cuts a tar stream into literals and file contents. Put together in order they are the stream, with any bytes: the cut
 * decides only the shared parts.
 */
final class TarSplitter implements TarReader.Parts {
    /** Contents below this size are literals: a row of the table costs more. */
    static final int LEAST_CONTENT = 512;

    private static final int BUFFER = 64 << 10;

    /** Takes the pieces, in order. */
    interface Sink {
        void literal(byte[] bytes, int offset, int length) throws IOException;

        /**
         * Reads a file's content.
         *
         * @param length the number of bytes
         */
        void content(InputStream bytes, long length) throws IOException;
    }

    private final Sink sink;
    private final TarBounds bounds;
    private long position;
    private int entries;
    private final byte[] buffer = new byte[BUFFER];

    private TarSplitter(Sink sink, TarBounds bounds) {
        this.sink = sink;
        this.bounds = bounds;
    }

    /**
     * Cuts the whole stream.
     *
     * @throws NotATarException when it is none
     * @throws LayerLimitException when it has more bytes or entries; an entry that only says that it has is refused before its first byte
     */
    static void split(InputStream tar, Sink sink, TarBounds bounds) throws IOException {
        TarReader.read(tar, new TarSplitter(sink, bounds));
    }

    @Override
    public void head(byte[] bytes, int offset, int length) throws IOException {
        count(length);
        sink.literal(bytes, offset, length);
    }

    @Override
    public void global(Iterable<String> keys) {
        // The bytes are literals already.
    }

    @Override
    public void entry(TarEntry entry, InputStream bytes) throws IOException {
        entries++;
        if (entries > bounds.entries()) {
            throw LayerLimitException.entries("entries", bounds.entries());
        }
        long size = entry.size();
        if (size < LEAST_CONTENT || !entry.isContent()) {
            for (int n = bytes.read(buffer); n >= 0; n = bytes.read(buffer)) {
                head(buffer, 0, n);
            }
            return;
        }
        if (size > bounds.bytes() - position) {
            if (bounds.exact()) {
                throw new NotATarException("it ends in a content");
            }
            throw LayerLimitException.bytes(bounds.bytes());
        }
        Counted counted = new Counted(bytes);
        sink.content(counted, size);
        if (counted.done < size) {
            throw new IOException("a content was not read to its end");
        }
    }

    private void count(long bytes) throws LayerLimitException {
        position += bytes;
        if (position > bounds.bytes()) {
            throw LayerLimitException.bytes(bounds.bytes());
        }
    }

    /** The bytes of one content. */
    private final class Counted extends BulkInputStream {
        private final InputStream bytes;
        private long done;

        Counted(InputStream bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read(byte[] into, int offset, int count) throws IOException {
            int n = bytes.read(into, offset, count);
            if (n > 0) {
                count(n);
                done += n;
            }
            return n;
        }
    }
}
