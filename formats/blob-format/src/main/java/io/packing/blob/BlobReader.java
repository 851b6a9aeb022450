package io.packing.blob;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An opened blob: its footer, and checked reads of its extents (blob-format.md, section 6). Opening costs one read of the
 * source, two when a footer is larger than was guessed. Thread-safe when the source is.
 */
public final class BlobReader {
    /** What is read from the end when the footer's place is not known. */
    static final int TAIL_GUESS = 64 << 10;

    private final RangeSource source;
    private final Footer footer;

    private BlobReader(RangeSource source, Footer footer) {
        this.source = source;
        this.footer = footer;
    }

    /** Opens a blob by its last bytes. */
    public static BlobReader open(RangeSource source) throws IOException {
        long length = checkedLength(source);
        ByteBuffer tail = readTail(source, length, (int) Math.min(TAIL_GUESS, length));
        BlobTrailer trailer = trailer(source, length, tail);
        int wanted = trailer.storedLength() + BlobTrailer.SIZE;
        if (wanted > tail.remaining()) {
            tail = readTail(source, length, wanted);
        }
        ByteBuffer end = tail.slice(tail.limit() - wanted, wanted);
        return new BlobReader(source, Footer.parse(source.name(), trailer, end));
    }

    /** Opens a blob whose footer offset is known from its name, with one read. */
    public static BlobReader open(RangeSource source, long footerOffset) throws IOException {
        long length = checkedLength(source);
        long wanted = length - footerOffset;
        if (footerOffset < BlobHeader.SIZE
                || wanted < BlobTrailer.SIZE
                || wanted - BlobTrailer.SIZE > BlobTrailer.MAX_STORED) {
            throw new CorruptBlobException(
                    "%s: no footer can start at %d of %d bytes".formatted(source.name(), footerOffset, length));
        }
        ByteBuffer tail = readTail(source, length, (int) wanted);
        BlobTrailer trailer = trailer(source, length, tail);
        if (trailer.footerOffset() != footerOffset) {
            throw new CorruptBlobException("%s: the trailer puts the footer at %d, the name at %d"
                    .formatted(source.name(), trailer.footerOffset(), footerOffset));
        }
        return new BlobReader(source, Footer.parse(source.name(), trailer, tail));
    }

    public Footer footer() {
        return footer;
    }

    /** Reads, checks and decodes one extent of this blob. */
    public ByteBuffer readExtent(Extent extent) throws IOException {
        if (extent.blobOffset() < BlobHeader.SIZE || extent.blobEnd() > footer.footerOffset()) {
            throw new CorruptBlobException("%s: the extent at %d+%d is outside the body"
                    .formatted(source.name(), extent.blobOffset(), extent.storedLength()));
        }
        return ExtentCodec.decode(source.name(), extent, source.read(extent.blobOffset(), extent.storedLength()));
    }

    private static long checkedLength(RangeSource source) throws IOException {
        long length = source.length();
        if (length < BlobHeader.SIZE + BlobTrailer.SIZE) {
            throw new CorruptBlobException("%s: %d bytes are too few for a blob".formatted(source.name(), length));
        }
        return length;
    }

    private static ByteBuffer readTail(RangeSource source, long length, int bytes) throws IOException {
        return source.read(length - bytes, bytes).slice();
    }

    private static BlobTrailer trailer(RangeSource source, long length, ByteBuffer tail) throws CorruptBlobException {
        ByteBuffer end = tail.slice(tail.limit() - BlobTrailer.SIZE, BlobTrailer.SIZE);
        return BlobTrailer.parse(source.name(), length, end);
    }
}
