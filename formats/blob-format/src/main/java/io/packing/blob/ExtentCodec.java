// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;

/** The conversion of an extent's bytes to stored bytes and back (blob-format.md, section 2). */
public final class ExtentCodec {
    private ExtentCodec() {}

    /**
     * The stored form of bytes in a blob.
     *
     * @param codec of the stored bytes
     * @param bytes from position to limit; a view of the input for {@link Codec#NONE}
     */
    public record Stored(Codec codec, ByteBuffer bytes) {
        /** Returns the extent of these bytes at a place of a file and a place of a blob. */
        public Extent at(long fileOffset, int length, long blobOffset) {
            return new Extent(fileOffset, length, blobOffset, bytes.remaining(), codec, crc32c(bytes));
        }
    }

    /**
     * Encodes the remaining bytes, without moving the buffer; falls back to {@link Codec#NONE} when they do not shrink.
     */
    public static Stored encode(Codec wanted, ByteBuffer bytes) {
        if (wanted == Codec.DEFLATE) {
            ByteBuffer smaller = ByteBuffer.allocate(Math.max(0, bytes.remaining() - 1));
            if (Deflate.deflate(bytes, smaller, Deflater.DEFAULT_COMPRESSION)) {
                return new Stored(Codec.DEFLATE, smaller.flip());
            }
        }
        if (wanted == Codec.ZSTD || wanted == Codec.ZSTD_DICTIONARY) {
            try (ZstdEncoder encoder = new ZstdEncoder(Optional.empty())) {
                return encoder.encode(bytes);
            }
        }
        return new Stored(Codec.NONE, bytes.slice());
    }

    /**
     * Checks the stored bytes of an extent that needs no dictionary, and decodes them. The result may be a view of the
     * input.
     *
     * @param blob the blob's name, for the message
     * @throws CorruptBlobException when the checksum or a length is wrong, or the extent needs a dictionary
     */
    public static ByteBuffer decode(String blob, Extent extent, ByteBuffer stored) throws CorruptBlobException {
        return decode(blob, extent, stored, Decoding.NONE);
    }

    /**
     * Checks an extent's stored bytes and decodes them. The result may be a view of the input.
     *
     * @param blob the blob's name, for the message
     * @param with the blob's key and dictionary
     * @throws CorruptBlobException when the checksum or a length is wrong, or the decryption fails
     */
    public static ByteBuffer decode(String blob, Extent extent, ByteBuffer stored, Decoding with)
            throws CorruptBlobException {
        ByteBuffer encoded = decrypt(blob, extent, stored, with);
        Codec codec = extent.codec().plain();
        if (codec == Codec.NONE) {
            return encoded.slice();
        }
        if (codec == Codec.ADOPTED) {
            throw new IllegalArgumentException(
                    "%s: the bytes of the extent at %d are in another object".formatted(blob, extent.blobOffset()));
        }
        byte[] bytes;
        try {
            if (codec == Codec.DEFLATE) {
                Deflate.check(encoded.remaining(), extent.length());
                bytes = new byte[extent.length()];
                Deflate.inflate(encoded, bytes);
            } else {
                bytes = decompress(codec, encoded, extent.length(), with.dictionary());
            }
        } catch (DataFormatException e) {
            throw new CorruptBlobException(
                    "%s: extent at %d+%d does not inflate to %d bytes: %s"
                            .formatted(
                                    blob, extent.blobOffset(), extent.storedLength(), extent.length(), e.getMessage()),
                    e);
        }
        return ByteBuffer.wrap(bytes);
    }

    /**
     * Checks the stored bytes of an extent whose bytes are in an object of others.
     *
     * @param blob the blob's name, for the message
     * @throws CorruptBlobException when the checksum or a length is wrong, or the bytes name no object with the extent
     */
    public static AdoptedObject adopted(String blob, Extent extent, ByteBuffer stored) throws CorruptBlobException {
        int unused = checked(blob, extent, stored);
        String where = "%s: the extent at %d".formatted(blob, extent.blobOffset());
        return AdoptedObject.parse(where, extent.fileEnd(), stored);
    }

    /**
     * Checks an extent's stored bytes as {@link #decode} does, and those of an adopted object as {@link #adopted} does.
     *
     * @return bytes of the file
     */
    public static int verify(String blob, Extent extent, ByteBuffer stored, Decoding with) throws CorruptBlobException {
        if (extent.codec() == Codec.ADOPTED) {
            AdoptedObject unused = adopted(blob, extent, stored);
            return extent.length();
        }
        return decode(blob, extent, stored, with).remaining();
    }

    /**
     * Checks an extent's stored bytes and decrypts them, if they are encrypted; compressed bytes stay compressed.
     * Writers that store the bytes again use it. The result may be the input.
     *
     * @param blob the blob's name, for the message
     * @throws CorruptBlobException when the checksum or a length is wrong, or the decryption fails
     */
    public static ByteBuffer decrypt(String blob, Extent extent, ByteBuffer stored, Decoding with)
            throws CorruptBlobException {
        int unused = checked(blob, extent, stored);
        if (!extent.codec().isEncrypted()) {
            return stored;
        }
        BlobKey key = with.key()
                .orElseThrow(() ->
                        new CorruptBlobException("%s: the extent at %d is encrypted, and nothing says by which key"
                                .formatted(blob, extent.blobOffset())));
        return key.decrypt(blob, with.fileId(), extent, stored);
    }

    /** Checks only an extent's stored bytes against its checksum; returns the extent's length. */
    static int checked(String blob, Extent extent, ByteBuffer stored) throws CorruptBlobException {
        if (stored.remaining() != extent.storedLength()) {
            throw new CorruptBlobException("%s: %d bytes for the extent at %d+%d"
                    .formatted(blob, stored.remaining(), extent.blobOffset(), extent.storedLength()));
        }
        int actual = crc32c(stored);
        if (actual != extent.crc32c()) {
            throw new CorruptBlobException("%s: extent at %d+%d has crc %08x, want %08x"
                    .formatted(blob, extent.blobOffset(), extent.storedLength(), actual, extent.crc32c()));
        }
        return extent.length();
    }

    /** Returns the CRC32C of the remaining bytes, without moving the buffer. */
    public static int crc32c(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    private static byte[] decompress(Codec codec, ByteBuffer stored, int length, Optional<Dictionary> dictionary)
            throws DataFormatException {
        boolean trained = codec == Codec.ZSTD_DICTIONARY;
        if (trained && dictionary.isEmpty()) {
            throw new DataFormatException("the blob has no dictionary, and the extent needs one");
        }
        ZstdFrame.check(stored, length, trained ? dictionary.get().number() : 0);
        byte[] target = new byte[length];
        byte[] frame = new byte[stored.remaining()];
        stored.duplicate().get(frame);
        long size;
        try {
            // The target is a hard limit: the library does not write past it.
            size = trained
                    ? dictionary.get().decompress(target, frame)
                    : Zstd.decompressByteArray(target, 0, target.length, frame, 0, frame.length);
        } catch (ZstdException e) {
            DataFormatException bad = new DataFormatException(e.getMessage());
            bad.initCause(e);
            throw bad;
        }
        // Older versions of the library, which some class paths have, report errors by the size.
        if (size != target.length) {
            throw new DataFormatException(
                    Zstd.isError(size) ? Zstd.getErrorName(size) : "the frame holds %d bytes".formatted(size));
        }
        return target;
    }
}
