package io.packing.blob;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** The first bytes of a blob: magic and version (blob-format.md, section 1). A file starts with them before its body. */
public final class BlobHeader {
    // Little-endian:  0:8 magic  8:10 version  10:12 zero  12:16 CRC32C of 0:12
    /** Bytes of the header; the body starts here. */
    public static final int SIZE = 16;

    /** The format version written and read. */
    public static final int VERSION = 1;

    private static final long MAGIC = 0x0A1A_0A0D_424B_5089L;
    private static final int CRC_AT = 12;

    private BlobHeader() {}

    /** A new buffer with the header, ready to be written. */
    public static ByteBuffer bytes() {
        ByteBuffer header = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(MAGIC).putShort((short) VERSION).putShort((short) 0).putInt(crc(header));
        return header.flip();
    }

    /** Checks the first bytes of a blob; the buffer holds exactly them. */
    public static void check(String blob, ByteBuffer bytes) throws CorruptBlobException {
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
        checkVersion(blob, "header", header.getShort(8), header.getShort(10));
    }

    static void checkVersion(String blob, String part, short version, short zero) throws CorruptBlobException {
        if (version != VERSION || zero != 0) {
            throw new CorruptBlobException("%s: %s has format version %d (flags %x), this reader knows version %d"
                    .formatted(blob, part, version & 0xffff, zero, VERSION));
        }
    }

    private static int crc(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(header.duplicate().position(0).limit(CRC_AT));
        return (int) crc.getValue();
    }
}
