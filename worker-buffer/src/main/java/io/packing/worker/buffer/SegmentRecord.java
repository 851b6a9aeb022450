// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.Framing;
import io.packing.buffers.Slices;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The header of a record in a segment; the stored bytes of its extent follow it.
 *
 * @param kind of the record
 * @param attributes of a slice: the length is 0, since it is not known yet
 * @param length bytes of the extent, before compression; 0 for none
 */
record SegmentRecord(
        Kind kind,
        long fileId,
        FilePath path,
        FileAttributes attributes,
        long fileOffset,
        int length,
        int storedLength,
        Codec codec,
        int crc32c) {
    // Little-endian, then path, owner, group in UTF-8, then the stored bytes.
    //  0:4 magic        4:5 kind          5:6 codec      6:8 path bytes    8:16 file id    16:24 file offset
    // 24:28 length     28:32 stored      32:36 crc      36:44 file length 44:52 mtime     52:56 mode
    // 56:58 owner bytes 58:60 group bytes 60:64 CRC32C of 0:60 and the names, xor the life of the file
    static final int FIXED = Framing.RECORD_BYTES;
    private static final int CRC_AT = 60;
    private static final int MAGIC = 0x31474553;

    /** The meaning of a record for its file. */
    enum Kind {
        /** The record has a complete file of at most one extent. */
        FILE('F'),
        /** The record has one extent of a large file, which is complete only with its {@link #END}. */
        SLICE('S'),
        /** The record has the attributes of a large file, and no bytes. */
        END('E');

        private final byte code;

        Kind(char code) {
            this.code = (byte) code;
        }

        private static Optional<Kind> of(byte code) {
            return Arrays.stream(values()).filter(kind -> kind.code == code).findFirst();
        }
    }

    /** Returns the extent of a record that starts at {@code at}; empty when the record has no bytes. */
    Optional<Extent> extentAt(long at, int headerBytes) {
        return length == 0
                ? Optional.empty()
                : Optional.of(new Extent(fileOffset, length, at + headerBytes, storedLength, codec, crc32c));
    }

    /**
     * Encodes the header.
     *
     * @param life of the segment's file
     */
    ByteBuffer header(int life) {
        byte[] name = path.value().getBytes(StandardCharsets.UTF_8);
        byte[] owner = attributes.owner().getBytes(StandardCharsets.UTF_8);
        byte[] group = attributes.group().getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(FIXED + name.length + owner.length + group.length)
                .order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(MAGIC)
                .put(kind.code)
                .put((byte) (codec == Codec.NONE ? 0 : 1))
                .putShort((short) name.length);
        out.putLong(fileId)
                .putLong(fileOffset)
                .putInt(length)
                .putInt(storedLength)
                .putInt(crc32c);
        out.putLong(attributes.length()).putLong(attributes.mtimeMillis()).putInt(attributes.mode());
        out.putShort((short) owner.length).putShort((short) group.length).putInt(0);
        out.put(name).put(owner).put(group).flip();
        return out.putInt(CRC_AT, crc(out) ^ life);
    }

    /** Returns the bytes of the whole header with this fixed part; 0 when it is no header. */
    static int headerBytes(ByteBuffer fixed) {
        ByteBuffer in = fixed.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        if (in.remaining() < FIXED || in.getInt(in.position()) != MAGIC) {
            return 0;
        }
        int at = in.position();
        return FIXED
                + Short.toUnsignedInt(in.getShort(at + 6))
                + Short.toUnsignedInt(in.getShort(at + 56))
                + Short.toUnsignedInt(in.getShort(at + 58));
    }

    /** Reads a header; empty when it is damaged, or belongs to another life of the file. */
    static Optional<SegmentRecord> parse(ByteBuffer header, int life) {
        ByteBuffer in = header.slice().order(ByteOrder.LITTLE_ENDIAN);
        Optional<Kind> kind = Kind.of(in.get(4));
        int codec = in.get(5);
        if (in.getInt(CRC_AT) != (crc(in) ^ life) || kind.isEmpty() || codec < 0 || codec > 1) {
            return Optional.empty();
        }
        int names = FIXED;
        int nameBytes = Short.toUnsignedInt(in.getShort(6));
        int ownerBytes = Short.toUnsignedInt(in.getShort(56));
        int groupBytes = Short.toUnsignedInt(in.getShort(58));
        FileAttributes attributes = new FileAttributes(
                in.getLong(36),
                in.getLong(44),
                text(in, names + nameBytes, ownerBytes),
                text(in, names + nameBytes + ownerBytes, groupBytes),
                in.getInt(52));
        return Optional.of(new SegmentRecord(
                kind.get(),
                in.getLong(8),
                new FilePath(text(in, names, nameBytes)),
                attributes,
                in.getLong(16),
                in.getInt(24),
                in.getInt(28),
                codec == 0 ? Codec.NONE : Codec.DEFLATE,
                in.getInt(32)));
    }

    private static String text(ByteBuffer in, int at, int length) {
        return StandardCharsets.UTF_8.decode(Slices.of(in, at, length)).toString();
    }

    private static int crc(ByteBuffer header) {
        ByteBuffer copy = ByteBuffer.allocate(header.limit());
        copy.put(Slices.of(header, 0, header.limit())).flip();
        return ExtentCodec.crc32c(copy.putInt(CRC_AT, 0));
    }
}
