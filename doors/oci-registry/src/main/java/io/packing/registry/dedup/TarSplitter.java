package io.packing.registry.dedup;

import io.packing.registry.files.BulkInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;

/**
 * Cuts a tar stream into literals and file contents. Put together in order they are the stream, whatever is in it: the cut decides
 * only what can be shared. Understands ustar, GNU, old GNU sparse, base-256 and PAX sizes.
 */
final class TarSplitter {
    /** Contents below this size are literals: a row of the table costs more. */
    static final int LEAST_CONTENT = 512;

    private static final int MAX_PAX = 1 << 20;
    /** The longest name in an entry of its own, as GNU tar has it; the kernel takes 4 KiB. */
    private static final int MAX_NAME = 64 << 10;

    private static final int BUFFER = 64 << 10;

    /** Takes the pieces, in order. */
    interface Sink {
        void literal(byte[] bytes, int offset, int length) throws IOException;

        /**
         * Reads a file's content.
         *
         * @param length how many bytes there are
         */
        void content(InputStream bytes, long length) throws IOException;
    }

    private final InputStream tar;
    private final Sink sink;
    private final TarBounds bounds;
    private long position;
    private int entries;
    private final byte[] block = new byte[TarHeader.BLOCK];
    private final byte[] buffer = new byte[BUFFER];

    private TarSplitter(InputStream tar, Sink sink, TarBounds bounds) {
        this.tar = tar;
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
        new TarSplitter(tar, sink, bounds).run();
    }

    private void run() throws IOException {
        OptionalLong paxSize = OptionalLong.empty();
        boolean any = false;
        while (readBlock()) {
            sink.literal(block, 0, block.length);
            if (TarHeader.isZero(block)) {
                if (!any) {
                    throw new NotATarException("it begins with zeros");
                }
                rest();
                return;
            }
            any = true;
            TarHeader header = TarHeader.of(block);
            for (boolean more = header.extended(); more; more = TarHeader.goesOn(block)) {
                if (!readBlock()) {
                    throw new NotATarException("it ends in a sparse map");
                }
                sink.literal(block, 0, block.length);
            }
            if (header.isPax()) {
                paxSize = pax(header.size());
            } else if (header.isContent()) {
                countEntry();
                content(paxSize.orElse(header.size()));
                paxSize = OptionalLong.empty();
            } else if (!header.isHeaderOnly()) {
                if (header.isName() && header.size() > MAX_NAME) {
                    throw new NotATarException("a name of %d bytes".formatted(header.size()));
                }
                literals(header.size());
                padding(header.size());
            } else {
                countEntry();
                paxSize = OptionalLong.empty();
            }
        }
        if (!any) {
            throw new NotATarException("it is empty");
        }
    }

    private void countEntry() throws LayerLimitException {
        entries++;
        if (entries > bounds.entries()) {
            throw LayerLimitException.entries("entries", bounds.entries());
        }
    }

    private OptionalLong pax(long size) throws IOException {
        if (size > MAX_PAX) {
            throw new NotATarException("PAX records of %d bytes".formatted(size));
        }
        byte[] records = tar.readNBytes((int) size);
        if (records.length < size) {
            throw new NotATarException("it ends in PAX records");
        }
        count(size);
        sink.literal(records, 0, records.length);
        padding(size);
        return TarHeader.paxSize(records);
    }

    private void content(long size) throws IOException {
        if (size < LEAST_CONTENT) {
            literals(size);
        } else {
            if (size > bounds.bytes() - position) {
                if (bounds.exact()) {
                    throw new NotATarException("it ends in a content");
                }
                throw LayerLimitException.bytes(bounds.bytes());
            }
            Limited bytes = new Limited(size);
            sink.content(bytes, size);
            if (bytes.left > 0) {
                throw new IOException("a content was not read to its end");
            }
        }
        padding(size);
    }

    private void literals(long size) throws IOException {
        for (long left = size; left > 0; ) {
            int n = tar.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (n < 0) {
                throw new NotATarException("it ends in an entry");
            }
            count(n);
            sink.literal(buffer, 0, n);
            left -= n;
        }
    }

    private void padding(long size) throws IOException {
        literals((TarHeader.BLOCK - size % TarHeader.BLOCK) % TarHeader.BLOCK);
    }

    /** Whatever follows the end of the archive. */
    private void rest() throws IOException {
        for (int n = tar.read(buffer); n >= 0; n = tar.read(buffer)) {
            count(n);
            sink.literal(buffer, 0, n);
        }
    }

    private void count(long bytes) throws LayerLimitException {
        position += bytes;
        if (position > bounds.bytes()) {
            throw LayerLimitException.bytes(bounds.bytes());
        }
    }

    private boolean readBlock() throws IOException {
        int n = tar.readNBytes(block, 0, block.length);
        if (n > 0 && n < block.length) {
            throw new NotATarException("it ends in a header");
        }
        count(Math.max(0, n));
        return n > 0;
    }

    /** The bytes of one content. */
    private final class Limited extends BulkInputStream {
        private long left;

        Limited(long size) {
            this.left = size;
        }

        @Override
        public int read(byte[] into, int offset, int count) throws IOException {
            if (left == 0) {
                return -1;
            }
            int n = tar.read(into, offset, (int) Math.min(count, left));
            if (n < 0) {
                throw new NotATarException("it ends in a content");
            }
            count(n);
            left -= n;
            return n;
        }
    }
}
