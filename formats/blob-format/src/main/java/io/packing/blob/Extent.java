// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.nio.ByteBuffer;

/**
 * A byte range of a file placed in a blob body (§4.1).
 *
 * @param fileOffset the start of the range in the file
 * @param length bytes of the file, 1 to {@link #MAX_LENGTH}
 * @param blobOffset the start of the stored bytes in the blob
 * @param storedLength bytes in the blob; equals {@code length} for {@link Codec#NONE}, plus a tag when encrypted
 * @param codec of the stored bytes
 * @param crc32c CRC32C of the <em>stored</em> bytes
 */
public record Extent(long fileOffset, int length, long blobOffset, int storedLength, Codec codec, int crc32c) {
    /**
     * The most bytes one extent holds, 4 MiB. A reader must fetch a whole extent to check its checksum. So this bounds
     * both the memory and the excess of a small read from a large file.
     */
    public static final int MAX_LENGTH = 4 << 20;

    /** The most bytes that an extent takes in a blob. */
    public static final int MAX_STORED = MAX_LENGTH + BlobKey.TAG_BYTES;

    public Extent {
        boolean sane = fileOffset >= 0
                && length > 0
                && length <= MAX_LENGTH
                && blobOffset >= 0
                && storedLength > codec.tagBytes()
                && storedLength <= MAX_LENGTH + codec.tagBytes()
                && fileOffset + length > 0
                && blobOffset + storedLength > 0
                && (codec.plain() != Codec.NONE || storedLength == length + codec.tagBytes());
        if (!sane) {
            throw new IllegalArgumentException("bad extent: file %d+%d, blob %d+%d, %s"
                    .formatted(fileOffset, length, blobOffset, storedLength, codec));
        }
    }

    /**
     * Returns the extent as it was before its encryption.
     *
     * @param encoded its bytes, decrypted
     */
    public Extent decrypted(ByteBuffer encoded) {
        return codec.isEncrypted()
                ? new Extent(
                        fileOffset, length, blobOffset, encoded.remaining(), codec.plain(), ExtentCodec.crc32c(encoded))
                : this;
    }

    public long fileEnd() {
        return fileOffset + length;
    }

    public long blobEnd() {
        return blobOffset + storedLength;
    }
}
