// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import io.packing.buffers.Slices;
import io.packing.encryption.Keystore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * An opened blob: its footer, and checked reads of its extents (blob-format.md, section 6). An open costs one read of
 * the source, or two when the footer is larger than the guess. Thread-safe when the source is.
 */
public final class BlobReader {
    /** The bytes to read from the end when the footer's place is unknown. */
    static final int TAIL_GUESS = 64 << 10;

    private final RangeSource source;
    private final Footer footer;
    private final Optional<BlobKey> key;
    private volatile Optional<Dictionary> dictionary = Optional.empty();

    private BlobReader(RangeSource source, Footer footer, Optional<BlobKey> key) {
        this.source = source;
        this.footer = footer;
        this.key = key;
    }

    /**
     * A trailer. If the bytes reach back to the footer's start, also the stored footer; and if it needs no key, the
     * parsed footer.
     */
    private record Tail(BlobTrailer trailer, Optional<ByteBuffer> stored, Optional<Footer> footer) {}

    /** Opens a blob without keys. */
    public static BlobReader open(RangeSource source) throws IOException {
        return open(source, Keystore.NONE);
    }

    /** Opens a blob by its footer offset, without keys. */
    public static BlobReader open(RangeSource source, long footerOffset) throws IOException {
        return open(source, footerOffset, Keystore.NONE);
    }

    /**
     * Opens a blob by its last bytes.
     *
     * @param keystore gives the key when the blob is encrypted
     */
    public static BlobReader open(RangeSource source, Keystore keystore) throws IOException {
        long length = checkedLength(source);
        int guess = (int) Math.min(TAIL_GUESS, length);
        Tail tail = SoundRead.of(source, length - guess, guess, bytes -> tail(source, length, bytes));
        if (tail.stored.isEmpty()) {
            int wanted = wanted(tail.trailer);
            tail = SoundRead.of(source, length - wanted, wanted, bytes -> tail(source, length, bytes));
        }
        return opened(source, tail, keystore);
    }

    /**
     * Opens a blob whose footer offset is known from its name, with one read, and another one when it is encrypted.
     *
     * @param keystore gives the key when the blob is encrypted
     */
    public static BlobReader open(RangeSource source, long footerOffset, Keystore keystore) throws IOException {
        long length = checkedLength(source);
        long wanted = length - footerOffset;
        if (footerOffset < BlobHeader.SIZE
                || wanted < BlobTrailer.SIZE
                || wanted - BlobTrailer.SIZE > BlobTrailer.MAX_STORED) {
            throw new CorruptBlobException(
                    "%s: no footer can start at %d of %d bytes".formatted(source.name(), footerOffset, length));
        }
        Tail found = SoundRead.of(source, footerOffset, (int) wanted, bytes -> {
            Tail tail = tail(source, length, bytes);
            if (tail.stored.isEmpty() || tail.trailer.footerOffset() != footerOffset) {
                throw new CorruptBlobException("%s: the trailer puts the footer at %d, the name at %d"
                        .formatted(source.name(), tail.trailer.footerOffset(), footerOffset));
            }
            return tail;
        });
        return opened(source, found, keystore);
    }

    private static BlobReader opened(RangeSource source, Tail tail, Keystore keystore) throws IOException {
        if (tail.footer.isPresent()) {
            return new BlobReader(source, tail.footer.get(), Optional.empty());
        }
        BlobKey key = BlobKey.read(source, tail.trailer.footerOffset(), keystore);
        Footer footer = Footer.parse(source.name(), tail.trailer, tail.stored.orElseThrow(), Optional.of(key));
        if (footer.keySectionBytes() != key.sectionBytes()) {
            throw new CorruptBlobException("%s: the key section has %d bytes, the footer says %d"
                    .formatted(source.name(), key.sectionBytes(), footer.keySectionBytes()));
        }
        return new BlobReader(source, footer, Optional.of(key));
    }

    /** Returns the blob's key; empty when the blob is not encrypted. */
    public Optional<BlobKey> key() {
        return key;
    }

    public Footer footer() {
        return footer;
    }

    /**
     * Returns the blob's dictionary, if it has one; reads and checks it once.
     *
     * @throws CorruptBlobException when the dictionary is damaged
     */
    public Optional<Dictionary> dictionary() throws IOException {
        if (dictionary.isEmpty() && footer.hasDictionary()) {
            Dictionary read = Dictionary.read(source, footer.bodyStart(), key);
            int end = BlobHeader.SIZE + footer.keySectionBytes() + read.sectionBytes(key);
            if (end != footer.bodyStart()) {
                throw new CorruptBlobException("%s: the dictionary ends at %d, the footer says %d"
                        .formatted(source.name(), end, footer.bodyStart()));
            }
            dictionary = Optional.of(read);
        }
        return dictionary;
    }

    /** Reads an extent of a blob that is not encrypted, and so needs no file id. */
    public ByteBuffer readExtent(Extent extent) throws IOException {
        return readExtent(0, extent);
    }

    /**
     * Reads, checks and decodes one extent of this blob.
     *
     * @param fileId of the extent's content
     * @throws IOException when the bytes are in an object of others
     */
    public ByteBuffer readExtent(long fileId, Extent extent) throws IOException {
        if (extent.blobOffset() < footer.bodyStart() || extent.blobEnd() > footer.footerOffset()) {
            throw new CorruptBlobException("%s: the extent at %d+%d is outside the body"
                    .formatted(source.name(), extent.blobOffset(), extent.storedLength()));
        }
        if (extent.codec() == Codec.ADOPTED) {
            AdoptedObject object = SoundRead.of(
                    source,
                    extent.blobOffset(),
                    extent.storedLength(),
                    stored -> ExtentCodec.adopted(source.name(), extent, stored));
            throw new IOException("%s has no bytes of its own at %d: they are in %s"
                    .formatted(source.name(), extent.blobOffset(), object));
        }
        Optional<Dictionary> needed = extent.codec().plain() == Codec.ZSTD_DICTIONARY ? dictionary() : Optional.empty();
        Decoding with = new Decoding(fileId, key, needed);
        return SoundRead.of(
                source,
                extent.blobOffset(),
                extent.storedLength(),
                stored -> ExtentCodec.decode(source.name(), extent, stored, with));
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

    /** Checks the last bytes of a blob: the trailer, and the footer if it is complete. */
    private static Tail tail(RangeSource source, long length, ByteBuffer bytes) throws CorruptBlobException {
        ByteBuffer end = Slices.of(bytes, bytes.limit() - BlobTrailer.SIZE, BlobTrailer.SIZE);
        BlobTrailer trailer = BlobTrailer.parse(source.name(), length, end);
        int wanted = wanted(trailer);
        if (wanted > bytes.limit()) {
            return new Tail(trailer, Optional.empty(), Optional.empty());
        }
        ByteBuffer stored = Footer.checked(source.name(), trailer, Slices.of(bytes, bytes.limit() - wanted, wanted));
        Optional<Footer> footer = trailer.isEncrypted()
                ? Optional.empty()
                : Optional.of(Footer.parse(source.name(), trailer, stored, Optional.empty()));
        return new Tail(trailer, Optional.of(stored), footer);
    }
}
