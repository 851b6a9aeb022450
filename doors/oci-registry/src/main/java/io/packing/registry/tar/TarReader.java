// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.tar;

import io.packing.registry.files.BulkInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads a tar stream from its start to its end, entry by entry, as Go's archive/tar does, by which engines unpack
 * layers. Understands ustar, PAX, GNU and the form before them. Confined to one thread.
 */
public final class TarReader {
    /** Bytes of a block, to which everything in a tar is padded. */
    public static final int BLOCK = TarHeader.BLOCK;

    private static final int MAX_PAX = 1 << 20;
    /** The longest name in an entry of its own, and records about all entries; the kernel takes names of 4 KiB. */
    private static final int MAX_NAME = 64 << 10;

    private static final int BUFFER = 64 << 10;

    /** Takes the parts of a tar, in order. */
    public interface Parts {
        /** Takes bytes that are no file's: headers, records, names, padding, and all behind the end. */
        void head(byte[] bytes, int offset, int length) throws IOException;

        /**
         * Takes an entry, whose head was given before.
         *
         * @param bytes of the entry, {@link TarEntry#size} of them; those that this does not read are skipped
         */
        void entry(TarEntry entry, InputStream bytes) throws IOException;

        /** Takes the keys of records about all entries that follow. */
        void global(Iterable<String> keys) throws IOException;
    }

    private final InputStream tar;
    private final Parts parts;
    private final byte[] block = new byte[BLOCK];
    private PaxRecords records = PaxRecords.NONE;
    private Optional<byte[]> longName = Optional.empty();
    private Optional<byte[]> longLink = Optional.empty();
    private boolean isAnnounced;

    private TarReader(InputStream tar, Parts parts) {
        this.tar = tar;
        this.parts = parts;
    }

    /**
     * Reads the whole stream. One without entries is a tar if it has zeros alone, as builds make it of a step that changes nothing.
     *
     * @throws NotATarException when it is no tar, or damaged
     */
    public static void read(InputStream tar, Parts parts) throws IOException {
        new TarReader(tar, parts).run();
    }

    private void run() throws IOException {
        boolean any = false;
        while (readBlock()) {
            if (TarHeader.isZero(block)) {
                checkNotAnnounced();
                end(any);
                return;
            }
            any = true;
            TarHeader header = TarHeader.of(block);
            for (boolean more = header.isExtended(); more; more = TarHeader.goesOn(block)) {
                if (!readBlock()) {
                    throw new NotATarException("it ends in a sparse map");
                }
            }
            switch (header.type()) {
                case 'x' -> {
                    records = PaxRecords.parse(held(header.size(), MAX_PAX, "PAX records"));
                    isAnnounced = true;
                }
                case 'L' -> longName = name(header);
                case 'K' -> longLink = name(header);
                case 'g' -> {
                    checkNotAnnounced();
                    parts.global(PaxRecords.parse(held(header.size(), MAX_NAME, "PAX records"))
                            .all()
                            .keySet());
                }
                default -> entry(new TarEntry(header, records, longName, longLink));
            }
        }
        checkNotAnnounced();
        if (!any) {
            throw new NotATarException("it is empty");
        }
    }

    private void checkNotAnnounced() throws NotATarException {
        if (isAnnounced) {
            throw new NotATarException("records about an entry that does not follow them");
        }
    }

    /** Reads a name up to its NUL; an empty name counts as a missing entry. */
    private Optional<byte[]> name(TarHeader header) throws IOException {
        byte[] bytes = held(header.size(), MAX_NAME, "a name");
        isAnnounced = true;
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return end == 0 ? Optional.empty() : Optional.of(Arrays.copyOf(bytes, end));
    }

    /** Bytes that are kept in memory, with their padding behind them. */
    private byte[] held(long size, int most, String what) throws IOException {
        if (size > most) {
            throw new NotATarException("%s of %d bytes".formatted(what, size));
        }
        byte[] bytes = tar.readNBytes((int) size);
        if (bytes.length < size) {
            throw new NotATarException("it ends in " + what);
        }
        parts.head(bytes, 0, bytes.length);
        padding(size);
        return bytes;
    }

    private void entry(TarEntry entry) throws IOException {
        records = PaxRecords.NONE;
        longName = Optional.empty();
        longLink = Optional.empty();
        isAnnounced = false;
        Limited bytes = new Limited(entry.size());
        parts.entry(entry, bytes);
        try {
            tar.skipNBytes(bytes.left);
        } catch (EOFException e) {
            throw new NotATarException("it ends in an entry");
        }
        padding(entry.size());
    }

    private void padding(long size) throws IOException {
        int left = (int) ((BLOCK - size % BLOCK) % BLOCK);
        byte[] zeros = tar.readNBytes(left);
        if (zeros.length < left) {
            throw new NotATarException("it ends in an entry");
        }
        parts.head(zeros, 0, left);
    }

    /** Reads the second block of zeros, or nothing, and then all bytes behind the end of the archive. */
    private void end(boolean any) throws IOException {
        if (!readBlock()) {
            return;
        }
        if (!TarHeader.isZero(block)) {
            throw new NotATarException(any ? "a block of zeros that is not its end" : "it begins with zeros");
        }
        byte[] buffer = new byte[BUFFER];
        long count = 0;
        for (int n = tar.read(buffer); n >= 0; n = tar.read(buffer)) {
            for (int i = 0; i < n && !any; i++) {
                if (buffer[i] != 0) {
                    throw new NotATarException("it begins with zeros");
                }
            }
            parts.head(buffer, 0, n);
            count += n;
        }
        if (!any && count % BLOCK != 0) {
            throw new NotATarException("it begins with zeros, and has no whole blocks");
        }
    }

    private boolean readBlock() throws IOException {
        int n = tar.readNBytes(block, 0, block.length);
        if (n > 0 && n < block.length) {
            throw new NotATarException("it ends in a header");
        }
        if (n > 0) {
            parts.head(block, 0, n);
        }
        return n > 0;
    }

    /** The bytes of one entry. */
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
                throw new NotATarException("it ends in an entry");
            }
            left -= n;
            return n;
        }
    }
}
