// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The first bytes of a blob: magic and version (blob-format.md, section 1). A worker's file starts with them, before
 * its body.
 */
public final class BlobHeader {
    // Little-endian:  0:8 magic  8:10 version  10:12 zero  12:16 CRC32C of 0:12
    /** The bytes of the header; the body starts here. */
    public static final int SIZE = 16;

    /** The first format version; a writer uses it wherever it suffices. */
    static final int VERSION_1 = 1;

    /** The version with Zstandard. */
    static final int VERSION_2 = 2;

    /** The version with encryption. */
    static final int VERSION_3 = 3;

    /** The version with adopted objects. */
    static final int VERSION_4 = 4;

    private static final long MAGIC = 0x0A1A_0A0D_424B_5089L;
    private static final int VERSION_AT = 8;
    private static final int CRC_AT = 12;

    private BlobHeader() {}

    /**
     * Returns a new buffer with the header of a blob of version 1, ready to be written. {@link FooterWriter} changes it
     * if the blob needs a later version.
     */
    public static ByteBuffer bytes() {
        return bytes(VERSION_1);
    }

    static ByteBuffer bytes(int version) {
        ByteBuffer header = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(MAGIC).putShort((short) version).putShort((short) 0).putInt(crc(header));
        return header.flip();
    }

    /** Checks the first bytes of a blob, which are exactly the buffer's, and returns the blob's version. */
    public static int check(String blob, ByteBuffer bytes) throws CorruptBlobException {
        ByteBuffer header = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (header.remaining() != SIZE) {
            throw new CorruptBlobException("%s: header of %d bytes, want %d".formatted(blob, header.remaining(), SIZE));
        }
        if (header.getLong(0) != MAGIC) {
            throw new CorruptBlobException("%s: no blob magic at the start".formatted(blob));
        }
        int actual = crc(header);
        if (actual != header.getInt(CRC_AT)) {
            throw new CorruptBlobException(
                    "%s: header crc %08x, want %08x".formatted(blob, actual, header.getInt(CRC_AT)));
        }
        checkVersion(blob, "header", header.getShort(VERSION_AT), header.getShort(VERSION_AT + 2));
        return header.getShort(VERSION_AT);
    }

    static void checkVersion(String blob, String part, short version, short zero) throws CorruptBlobException {
        if (version < VERSION_1 || version > VERSION_4 || zero != 0) {
            throw new CorruptBlobException(
                    "%s: %s has format version %d (flags %x), this reader knows versions %d to %d"
                            .formatted(blob, part, version & 0xffff, zero, VERSION_1, VERSION_4));
        }
    }

    private static int crc(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(header.duplicate().position(0).limit(CRC_AT));
        return (int) crc.getValue();
    }
}
