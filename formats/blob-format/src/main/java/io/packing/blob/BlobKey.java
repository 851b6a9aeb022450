// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import io.packing.buffers.Slices;
import io.packing.encryption.DataKeys;
import io.packing.encryption.KeyUnavailableException;
import io.packing.encryption.Keystore;
import io.packing.encryption.ObjectCipher;
import io.packing.encryption.ObjectCipher.Part;
import io.packing.encryption.WrappedKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.crypto.AEADBadTagException;

/**
 * The key of an encrypted blob, and the section behind the header that names this key (blob-format.md, section 9).
 * Thread-safe.
 */
public final class BlobKey {
    // Little-endian, from BlobHeader.SIZE:  0:4 length of the record  4:8 its crc  8:12 CRC32C of 0:8  12: the record
    private static final int HEAD = 12;
    private static final int CRC_AT = 4;
    private static final int HEAD_CRC_AT = 8;

    static final int LEAST_SECTION = HEAD + ObjectCipher.LEAST_RECORD;
    static final int MAX_SECTION = HEAD + ObjectCipher.MAX_RECORD;

    /** The bytes by which encryption lengthens an extent, a footer and a dictionary. */
    static final int TAG_BYTES = ObjectCipher.TAG_BYTES;

    private static final byte[] NOTHING = new byte[0];

    private final ObjectCipher cipher;

    private BlobKey(ObjectCipher cipher) {
        this.cipher = cipher;
    }

    /**
     * Makes the key of a new blob. Each attempt to write a blob needs another key: a key must not encrypt a place
     * twice.
     *
     * @throws KeyUnavailableException when the named key is not available
     */
    public static BlobKey begin(DataKeys keys) throws IOException {
        return new BlobKey(keys.begin(ObjectCipher.Purpose.BLOB));
    }

    /**
     * Reads the key of an existing blob, with one read.
     *
     * @param bodyEnd the start of the blob's footer
     * @throws CorruptBlobException when its key section is damaged
     * @throws KeyUnavailableException when this process does not have the key; the blob may be sound
     */
    public static BlobKey read(RangeSource source, long bodyEnd, Keystore keystore) throws IOException {
        long room = bodyEnd - BlobHeader.SIZE;
        if (room < LEAST_SECTION) {
            throw missing(source.name());
        }
        int length = (int) Math.min(room, MAX_SECTION);
        byte[] record = SoundRead.of(source, BlobHeader.SIZE, length, start -> record(source.name(), start));
        try {
            return new BlobKey(ObjectCipher.open(keystore, ObjectCipher.Purpose.BLOB, record)
                    .orElseThrow(() -> new CorruptBlobException(
                            "%s: the key section is not as it was written: another program changed it, restore the object from a copy"
                                    .formatted(source.name()))));
        } catch (KeyUnavailableException e) {
            throw new KeyUnavailableException("%s: %s".formatted(source.name(), e.getMessage()), e);
        }
    }

    private static byte[] record(String blob, ByteBuffer start) throws CorruptBlobException {
        ByteBuffer section = start.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (ExtentCodec.crc32c(Slices.of(section, 0, HEAD_CRC_AT)) != section.getInt(HEAD_CRC_AT)) {
            throw missing(blob);
        }
        int length = section.getInt(0);
        if (length < ObjectCipher.LEAST_RECORD || length > section.remaining() - HEAD) {
            throw new CorruptBlobException("%s: a key section of %s bytes does not fit into the blob"
                    .formatted(blob, Integer.toUnsignedString(length)));
        }
        ByteBuffer content = Slices.of(section, HEAD, length);
        int actual = ExtentCodec.crc32c(content);
        if (actual != section.getInt(CRC_AT)) {
            throw new CorruptBlobException(
                    "%s: key section crc %08x, want %08x".formatted(blob, actual, section.getInt(CRC_AT)));
        }
        byte[] record = new byte[length];
        content.get(record);
        return record;
    }

    private static CorruptBlobException missing(String blob) {
        return new CorruptBlobException(
                "%s: there is no sound key section behind the header, and the blob is encrypted".formatted(blob));
    }

    /** Returns the section's bytes in the blob. */
    ByteBuffer section() {
        byte[] record = cipher.record();
        ByteBuffer section = ByteBuffer.allocate(HEAD + record.length).order(ByteOrder.LITTLE_ENDIAN);
        section.putInt(record.length).putInt(ExtentCodec.crc32c(ByteBuffer.wrap(record)));
        section.putInt(ExtentCodec.crc32c(Slices.of(section, 0, HEAD_CRC_AT))).put(record);
        return section.flip();
    }

    /** Returns the length of the section in bytes. */
    int sectionBytes() {
        return HEAD + cipher.record().length;
    }

    /** Returns the wrapped key, which a reader of the blob needs. */
    public WrappedKey wrapped() {
        return cipher.wrapped();
    }

    /** Encrypts an extent's encoded bytes for their place. */
    ExtentCodec.Stored encrypt(long fileId, long fileOffset, int length, ExtentCodec.Stored encoded, long blobOffset) {
        ByteBuffer bytes = ByteBuffer.allocate(encoded.bytes().remaining() + TAG_BYTES);
        Codec codec = encrypt(fileId, fileOffset, length, encoded, blobOffset, bytes);
        return new ExtentCodec.Stored(codec, bytes.flip());
    }

    /** Encrypts an extent's encoded bytes into a buffer; returns their new codec. */
    Codec encrypt(
            long fileId, long fileOffset, int length, ExtentCodec.Stored encoded, long blobOffset, ByteBuffer into) {
        Codec codec = encoded.codec().encrypted();
        cipher.encrypt(Part.EXTENT, blobOffset, associated(fileId, fileOffset, length, codec), encoded.bytes(), into);
        return codec;
    }

    /**
     * Decrypts an extent's stored bytes; the result is encoded by the codec's {@link Codec#plain}.
     *
     * @param fileId of the extent's content
     * @throws CorruptBlobException when these bytes were not encrypted for this file, this range and this place
     */
    ByteBuffer decrypt(String blob, long fileId, Extent extent, ByteBuffer stored) throws CorruptBlobException {
        byte[] associated = associated(fileId, extent.fileOffset(), extent.length(), extent.codec());
        try {
            return cipher.decrypt(Part.EXTENT, extent.blobOffset(), associated, stored);
        } catch (AEADBadTagException e) {
            throw new CorruptBlobException(
                    "%s: the bytes at %d+%d are not those that were encrypted there as %d+%d of file %d: moved, exchanged or forged"
                            .formatted(
                                    blob,
                                    extent.blobOffset(),
                                    extent.storedLength(),
                                    extent.fileOffset(),
                                    extent.length(),
                                    fileId),
                    e);
        }
    }

    private static byte[] associated(long fileId, long fileOffset, int length, Codec codec) {
        return ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES + 1)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(fileId)
                .putLong(fileOffset)
                .putInt(length)
                .put((byte) codec.number())
                .array();
    }

    ByteBuffer encryptFooter(BlobTrailer trailer, ByteBuffer deflated) {
        return cipher.encrypt(Part.FOOTER, trailer.footerOffset(), trailer.associated(), deflated);
    }

    ByteBuffer decryptFooter(String blob, BlobTrailer trailer, ByteBuffer stored) throws CorruptBlobException {
        try {
            return cipher.decrypt(Part.FOOTER, trailer.footerOffset(), trailer.associated(), stored);
        } catch (AEADBadTagException e) {
            throw new CorruptBlobException(
                    "%s: footer and trailer are not what was encrypted there: exchanged or forged".formatted(blob), e);
        }
    }

    ByteBuffer encryptDictionary(long offset, ByteBuffer dictionary) {
        return cipher.encrypt(Part.DICTIONARY, offset, NOTHING, dictionary);
    }

    ByteBuffer decryptDictionary(String blob, long offset, ByteBuffer stored) throws CorruptBlobException {
        try {
            return cipher.decrypt(Part.DICTIONARY, offset, NOTHING, stored);
        } catch (AEADBadTagException e) {
            throw new CorruptBlobException(
                    "%s: the dictionary is not what was encrypted there: exchanged or forged".formatted(blob), e);
        }
    }
}
