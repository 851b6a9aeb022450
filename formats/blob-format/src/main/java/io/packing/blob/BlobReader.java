package io.packing.blob;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * An opened blob: its footer, and checked reads of its extents (blob-format.md, section 6). Opening costs one read of the
 * source, two when a footer is larger than was guessed. Thread-safe when the source is.
 */
public final class BlobReader {
    /** What is read from the end when the footer's place is not known. */
    static final int TAIL_GUESS = 64 << 10;

    private final RangeSource source;
    private final Footer footer;
    private volatile Optional<Dictionary> dictionary = Optional.empty();

    private BlobReader(RangeSource source, Footer footer) {
        this.source = source;
        this.footer = footer;
    }

    /** A trailer, and the footer when the bytes reach back to its start. */
    private record Tail(BlobTrailer trailer, Optional<Footer> footer) {}

    /** Opens a blob by its last bytes. */
    public static BlobReader open(RangeSource source) throws IOException {
        long length = checkedLength(source);
        int guess = (int) Math.min(TAIL_GUESS, length);
        Tail tail = SoundRead.of(source, length - guess, guess, bytes -> tail(source, length, bytes));
        if (tail.footer.isEmpty()) {
            int wanted = wanted(tail.trailer);
            tail = SoundRead.of(source, length - wanted, wanted, bytes -> tail(source, length, bytes));
        }
        return new BlobReader(source, tail.footer.orElseThrow());
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
        return SoundRead.of(source, footerOffset, (int) wanted, bytes -> {
            Tail tail = tail(source, length, bytes);
            if (tail.footer.isEmpty() || tail.trailer.footerOffset() != footerOffset) {
                throw new CorruptBlobException("%s: the trailer puts the footer at %d, the name at %d"
                        .formatted(source.name(), tail.trailer.footerOffset(), footerOffset));
            }
            return new BlobReader(source, tail.footer.get());
        });
    }

    public Footer footer() {
        return footer;
    }

    /**
     * The blob's dictionary, if it has one; read and checked once.
     *
     * @throws CorruptBlobException when it is damaged
     */
    public Optional<Dictionary> dictionary() throws IOException {
        if (dictionary.isEmpty() && footer.hasDictionary()) {
            Dictionary read = Dictionary.read(source, footer.bodyStart());
            if (BlobHeader.SIZE + read.sectionBytes() != footer.bodyStart()) {
                throw new CorruptBlobException("%s: the dictionary ends at %d, the footer says %d"
                        .formatted(source.name(), BlobHeader.SIZE + read.sectionBytes(), footer.bodyStart()));
            }
            dictionary = Optional.of(read);
        }
        return dictionary;
    }

    /** Reads, checks and decodes one extent of this blob. */
    public ByteBuffer readExtent(Extent extent) throws IOException {
        if (extent.blobOffset() < footer.bodyStart() || extent.blobEnd() > footer.footerOffset()) {
            throw new CorruptBlobException("%s: the extent at %d+%d is outside the body"
                    .formatted(source.name(), extent.blobOffset(), extent.storedLength()));
        }
        Optional<Dictionary> needed = extent.codec() == Codec.ZSTD_DICTIONARY ? dictionary() : Optional.empty();
        return SoundRead.of(
                source,
                extent.blobOffset(),
                extent.storedLength(),
                stored -> ExtentCodec.decode(source.name(), extent, stored, needed));
    }

    private static long checkedLength(RangeSource source) throws IOException {
        long length = source.length();
        if (length < BlobHeader.SIZE + BlobTrailer.SIZE) {
            throw new CorruptBlobException("%s: %d bytes are too few for a blob".formatted(source.name(), length));
        }
        return length;
    }

    private static int wanted(BlobTrailer trailer) {
        return trailer.storedLength() + BlobTrailer.SIZE;
    }

    /** Checks the last bytes of a blob: the trailer, and the footer if all of it is there. */
    private static Tail tail(RangeSource source, long length, ByteBuffer bytes) throws CorruptBlobException {
        ByteBuffer end = bytes.slice(bytes.limit() - BlobTrailer.SIZE, BlobTrailer.SIZE);
        BlobTrailer trailer = BlobTrailer.parse(source.name(), length, end);
        int wanted = wanted(trailer);
        return wanted > bytes.limit()
                ? new Tail(trailer, Optional.empty())
                : new Tail(
                        trailer,
                        Optional.of(Footer.parse(source.name(), trailer, bytes.slice(bytes.limit() - wanted, wanted))));
    }
}
