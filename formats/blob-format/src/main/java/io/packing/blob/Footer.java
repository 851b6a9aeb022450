// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.DataFormatException;

/**
 * The embedded index of a blob (§4.1): its files, in order of path and generation.
 *
 * <p>The parser has checked it completely. The iterator decodes entries one by one. So a footer takes the memory of its
 * inflated bytes, however long its prefix-compressed paths are. Immutable.
 */
public final class Footer implements Iterable<PackedFile> {
    private final String blob;
    private final BlobTrailer trailer;
    private final byte[] inflated;
    private final int keySectionBytes;
    private final long bodyStart;
    private final int extentCount;
    private final long storedBytes;

    private Footer(String blob, BlobTrailer trailer, byte[] inflated) throws CorruptBlobException {
        this.blob = blob;
        this.trailer = trailer;
        this.inflated = inflated;
        this.keySectionBytes = new FooterCursor(blob, trailer, inflated).keySectionBytes();
        BodyMap map = check(blob, trailer, inflated);
        this.bodyStart = map.bodyStart();
        this.extentCount = map.size();
        this.storedBytes = map.coveredBytes();
    }

    /**
     * Parses the end of a blob.
     *
     * @param stored the footer's bytes, from {@link #checked}
     * @param key of the blob, if it is encrypted
     */
    static Footer parse(String blob, BlobTrailer trailer, ByteBuffer stored, Optional<BlobKey> key)
            throws CorruptBlobException {
        ByteBuffer deflated = key.isPresent() ? key.get().decryptFooter(blob, trailer, stored) : stored;
        byte[] inflated = new byte[trailer.inflatedLength()];
        try {
            Deflate.inflate(deflated, inflated);
        } catch (DataFormatException e) {
            throw new CorruptBlobException(
                    "%s: footer does not inflate to %d bytes: %s".formatted(blob, inflated.length, e.getMessage()), e);
        }
        return new Footer(blob, trailer, inflated);
    }

    /**
     * Returns the stored footer, after a check of its checksum.
     *
     * @param tail from the footer offset to the end of the blob
     */
    static ByteBuffer checked(String blob, BlobTrailer trailer, ByteBuffer tail) throws CorruptBlobException {
        ByteBuffer stored = tail.slice().limit(trailer.storedLength());
        int actual = ExtentCodec.crc32c(stored);
        if (actual != trailer.footerCrc()) {
            throw new CorruptBlobException(
                    "%s: footer crc %08x, want %08x".formatted(blob, actual, trailer.footerCrc()));
        }
        return stored;
    }

    public int fileCount() {
        return trailer.fileCount();
    }

    public int extentCount() {
        return extentCount;
    }

    /** Returns the number of bytes of the body that belong to extents; the others are gaps. */
    public long storedBytes() {
        return storedBytes;
    }

    /** Returns the start of the footer, which is the end of the body. */
    public long footerOffset() {
        return trailer.footerOffset();
    }

    /** Returns the start of the body. */
    long bodyStart() {
        return bodyStart;
    }

    /** Returns whether the blob has a {@link Dictionary} between header and body. */
    public boolean hasDictionary() {
        return bodyStart > BlobHeader.SIZE + keySectionBytes;
    }

    /** Returns the bytes of the key section; 0 when the blob is not encrypted. */
    int keySectionBytes() {
        return keySectionBytes;
    }

    int version() {
        return trailer.version();
    }

    int gapCrc() {
        return trailer.gapCrc();
    }

    /**
     * Returns the file at a path, of several versions the one with the largest generation; reads every entry before it.
     */
    public Optional<PackedFile> find(FilePath path) {
        byte[] wanted = path.value().getBytes(StandardCharsets.UTF_8);
        Optional<PackedFile> found = Optional.empty();
        try {
            FooterCursor cursor = cursor();
            while (cursor.nextFile()) {
                int order = cursor.comparePath(wanted);
                if (order > 0) {
                    break;
                }
                if (order == 0) {
                    found = Optional.of(cursor.file());
                }
            }
        } catch (CorruptBlobException e) {
            throw new IllegalStateException("a footer changed after it was checked", e);
        }
        return found;
    }

    public Stream<PackedFile> stream() {
        return StreamSupport.stream(spliterator(), false);
    }

    @Override
    public Iterator<PackedFile> iterator() {
        return new Entries();
    }

    private FooterCursor cursor() throws CorruptBlobException {
        return new FooterCursor(blob, trailer, inflated);
    }

    /** Checks every rule that a footer must keep, and returns the places of the extents, sorted. */
    static BodyMap check(String blob, BlobTrailer trailer, byte[] inflated) throws CorruptBlobException {
        FooterCursor cursor = new FooterCursor(blob, trailer, inflated);
        BodyMap map = new BodyMap(cursor.bodyStart(), trailer.footerOffset());
        long[] ids = new long[trailer.fileCount()];
        for (int i = 0; cursor.nextFile(); i++) {
            ids[i] = cursor.id();
            while (cursor.nextExtent()) {
                if (!map.add(cursor.blobOffset(), cursor.blobEnd())) {
                    throw overlapping(blob, cursor.blobOffset());
                }
            }
        }
        long overlap = map.overlap();
        if (overlap >= 0) {
            throw overlapping(blob, overlap);
        }
        Arrays.sort(ids);
        for (int i = 1; i < ids.length; i++) {
            if (ids[i] == ids[i - 1]) {
                throw new CorruptBlobException("%s: bad footer: file id %d occurs twice".formatted(blob, ids[i]));
            }
        }
        return map;
    }

    private static CorruptBlobException overlapping(String blob, long offset) {
        return new CorruptBlobException("%s: bad footer: extents overlap at %d".formatted(blob, offset));
    }

    private final class Entries implements Iterator<PackedFile> {
        private final FooterCursor cursor;
        private int left = fileCount();

        Entries() {
            try {
                cursor = cursor();
            } catch (CorruptBlobException e) {
                throw new IllegalStateException("a footer changed after it was checked", e);
            }
        }

        @Override
        public boolean hasNext() {
            return left > 0;
        }

        @Override
        public PackedFile next() {
            try {
                if (left-- <= 0 || !cursor.nextFile()) {
                    throw new NoSuchElementException();
                }
                return cursor.file();
            } catch (CorruptBlobException e) {
                throw new IllegalStateException("a footer changed after it was checked", e);
            }
        }
    }
}
