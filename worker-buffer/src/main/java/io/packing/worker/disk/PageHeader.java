// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.disk;

import io.packing.blob.BlobName;
import io.packing.blob.ExtentCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The header of a page in a segment file.
 *
 * @param live false when the page was damaged, so that readers skip it
 * @param length bytes of the page, 1 to {@link BlobPage#BYTES}
 * @param crc32c of these bytes
 */
record PageHeader(boolean live, BlobPage page, int length, int crc32c) {
    // Little-endian, then the name of the blob in US-ASCII, then the page.
    //   0:4  magic, live or dead   4:8  CRC32C of 8:28 and the name   8:12 CRC32C of the page
    //  12:16 length of the page   16:24 number of the page           24:28 length of the name
    static final int FIXED = 28;
    static final int LIVE = 0x31_45_47_50;
    /** A write of it over {@link #LIVE} removes the page; the checksum does not cover it. */
    static final int DEAD = 0x58_45_47_50;

    private static final int CHECKED_FROM = 8;
    private static final int MOST_NAME = 256;
    /** The most bytes of a header. */
    static final int MOST = FIXED + MOST_NAME;

    PageHeader {
        if (length <= 0 || length > BlobPage.BYTES) {
            throw new IllegalArgumentException("a page of %d bytes".formatted(length));
        }
    }

    static PageHeader of(BlobPage page, ByteBuffer bytes) {
        return new PageHeader(true, page, bytes.remaining(), ExtentCodec.crc32c(bytes.duplicate()));
    }

    private byte[] name() {
        return page.blob().toString().getBytes(StandardCharsets.US_ASCII);
    }

    ByteBuffer encode() {
        byte[] name = name();
        ByteBuffer bytes = ByteBuffer.allocate(FIXED + name.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(live ? LIVE : DEAD).putInt(0).putInt(crc32c).putInt(length);
        bytes.putLong(page.number()).putInt(name.length).put(name);
        bytes.putInt(4, ExtentCodec.crc32c(bytes.duplicate().flip().position(CHECKED_FROM)));
        return bytes.flip();
    }

    /** Returns the bytes of the header and its page. */
    int recordBytes() {
        return FIXED + name().length + length;
    }

    /**
     * Reads the header at a buffer's position, and moves the position behind it; empty when no sound header is there.
     */
    static Optional<PageHeader> decode(ByteBuffer from) {
        ByteBuffer bytes = from.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.remaining() < FIXED) {
            return Optional.empty();
        }
        int magic = bytes.getInt(0);
        int length = bytes.getInt(12);
        long number = bytes.getLong(16);
        int nameLength = bytes.getInt(24);
        boolean known = magic == LIVE || magic == DEAD;
        boolean whole = nameLength > 0 && nameLength <= MOST_NAME && bytes.remaining() >= FIXED + nameLength;
        if (!known || !whole || length <= 0 || length > BlobPage.BYTES || number < 0) {
            return Optional.empty();
        }
        ByteBuffer checked = bytes.duplicate().limit(FIXED + nameLength).position(CHECKED_FROM);
        if (ExtentCodec.crc32c(checked) != bytes.getInt(4)) {
            return Optional.empty();
        }
        byte[] name = new byte[nameLength];
        bytes.get(FIXED, name);
        try {
            BlobName blob = BlobName.parse(new String(name, StandardCharsets.US_ASCII));
            from.position(from.position() + FIXED + nameLength);
            return Optional.of(new PageHeader(magic == LIVE, new BlobPage(blob, number), length, bytes.getInt(8)));
        } catch (IllegalArgumentException e) {
            // The checksum fits by chance.
            return Optional.empty();
        }
    }
}
