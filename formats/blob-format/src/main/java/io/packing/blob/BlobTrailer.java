// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The last bytes of a blob: the footer's place and its checksums (blob-format.md, section 4).
 *
 * @param version of the format
 * @param footerOffset the start of the footer in the blob
 * @param storedLength bytes of the footer in the blob
 * @param inflatedLength bytes of the footer after inflation
 * @param fileCount files in the footer
 * @param footerCrc CRC32C of the stored footer
 * @param gapCrc CRC32C of all bytes of the body that belong to no extent
 */
record BlobTrailer(
        int version,
        long footerOffset,
        int storedLength,
        int inflatedLength,
        int fileCount,
        int footerCrc,
        int gapCrc) {
    // Little-endian:  0:8 footer offset  8:12 stored length  12:16 inflated length  16:20 file count
    // 20:24 footer crc  24:28 gap crc  28:30 version  30:32 zero  32:36 CRC32C of 0:32  36:40 magic
    static final int SIZE = 40;
    private static final int FOOTER_CRC_AT = 20;
    static final int CRC_AT = 32;
    static final int MAGIC_AT = 36;

    static final int MAX_INFLATED = 256 << 20;
    /** The most bytes of a stored footer: useless deflation adds less than this. */
    static final int MAX_STORED = MAX_INFLATED + (1 << 20);

    static final int MAX_RATIO = 32;
    static final int LEAST_ENTRY = 10;

    private static final int MAGIC = 0x5442_4B50;

    ByteBuffer bytes() {
        ByteBuffer b = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
        b.putLong(footerOffset).putInt(storedLength).putInt(inflatedLength).putInt(fileCount);
        b.putInt(footerCrc).putInt(gapCrc).putShort((short) version).putShort((short) 0);
        b.putInt(crc(b)).putInt(MAGIC);
        return b.flip();
    }

    BlobTrailer withFooterCrc(int crc) {
        return new BlobTrailer(version, footerOffset, storedLength, inflatedLength, fileCount, crc, gapCrc);
    }

    /**
     * Returns the data that authenticates an encrypted footer: all fields except the footer's CRC and those that follow
     * from it.
     */
    byte[] associated() {
        ByteBuffer b =
                ByteBuffer.allocate(FOOTER_CRC_AT + Integer.BYTES + Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        b.putLong(footerOffset).putInt(storedLength).putInt(inflatedLength).putInt(fileCount);
        return b.putInt(gapCrc).putShort((short) version).array();
    }

    boolean isEncrypted() {
        return version == BlobHeader.VERSION_3;
    }

    long blobLength() {
        return footerOffset + storedLength + SIZE;
    }

    /** Reads and checks the trailer of a blob of the given length, all limits included. */
    static BlobTrailer parse(String blob, long blobLength, ByteBuffer bytes) throws CorruptBlobException {
        ByteBuffer b = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (b.remaining() != SIZE || b.getInt(MAGIC_AT) != MAGIC) {
            throw new CorruptBlobException(
                    "%s: no trailer at the end of its %d bytes: truncated, or not a blob".formatted(blob, blobLength));
        }
        int actual = crc(b);
        if (actual != b.getInt(CRC_AT)) {
            throw new CorruptBlobException("%s: trailer crc %08x, want %08x".formatted(blob, actual, b.getInt(CRC_AT)));
        }
        BlobHeader.checkVersion(blob, "trailer", b.getShort(28), b.getShort(30));
        BlobTrailer trailer = new BlobTrailer(
                b.getShort(28), b.getLong(0), b.getInt(8), b.getInt(12), b.getInt(16), b.getInt(20), b.getInt(24));
        trailer.checkLimits(blob, blobLength);
        return trailer;
    }

    private void checkLimits(String blob, long blobLength) throws CorruptBlobException {
        if (footerOffset < BlobHeader.SIZE
                || footerOffset > blobLength
                || storedLength < 0
                || storedLength > MAX_STORED) {
            throw new CorruptBlobException("%s: footer at %d+%d is outside its %d bytes"
                    .formatted(blob, footerOffset, storedLength, blobLength));
        }
        if (blobLength() != blobLength) {
            throw new CorruptBlobException("%s: length %d, the trailer says %d: truncated, or joined with another"
                    .formatted(blob, blobLength, blobLength()));
        }
        if (inflatedLength < 0 || inflatedLength > MAX_INFLATED || inflatedLength > (long) MAX_RATIO * storedLength) {
            throw new CorruptBlobException("%s: footer inflates from %d to %d bytes, past the limit of %d or %d:1"
                    .formatted(blob, storedLength, inflatedLength, MAX_INFLATED, MAX_RATIO));
        }
        if (fileCount < 0 || fileCount > inflatedLength / LEAST_ENTRY) {
            throw new CorruptBlobException(
                    "%s: %d files cannot be in a footer of %d bytes".formatted(blob, fileCount, inflatedLength));
        }
    }

    private static int crc(ByteBuffer b) {
        CRC32C crc = new CRC32C();
        crc.update(b.duplicate().position(0).limit(CRC_AT));
        return (int) crc.getValue();
    }
}
