// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The bytes of a group in a volume's log (RFC 0028): a header with the changed ranges, and the bytes of those that are no holes. All
 * numbers are big-endian.
 */
final class LogGroup {
    /** The most ranges of a group. */
    static final int MOST_RANGES = 4_096;

    /** The bytes of the header before its ranges. */
    static final int FIRST_BYTES = 12;

    private static final byte[] MAGIC = "PKVLOG01".getBytes(StandardCharsets.US_ASCII);
    private static final int RANGE_BYTES = 2 * Long.BYTES;

    private LogGroup() {}

    /** Returns the header of a group of some pieces. */
    static byte[] header(Collection<WrittenPiece> pieces) {
        checkCount(pieces.size());
        ByteBuffer header = ByteBuffer.allocate(headerBytes(pieces.size()));
        header.put(MAGIC).putInt(pieces.size());
        for (WrittenPiece piece : pieces) {
            header.putLong(piece.offset()).putLong(piece.isHole() ? -piece.length() : piece.length());
        }
        return header.putInt(checksum(header.array(), header.position())).array();
    }

    /** Returns the pieces of a group with their places in its file. */
    static WrittenRanges placed(Collection<WrittenPiece> pieces, FilePath file, FileVersion version) {
        WrittenRanges placed = new WrittenRanges();
        long at = headerBytes(pieces.size());
        for (WrittenPiece piece : pieces) {
            placed.put(piece.at(new LogPlace(file, version, at)));
            at += piece.isHole() ? 0 : piece.length();
        }
        return placed;
    }

    /**
     * Returns the length of a header by its first bytes.
     *
     * @throws IOException when no group begins with them
     */
    static int headerBytes(FilePath file, byte[] first) throws IOException {
        int count = ByteBuffer.wrap(first).getInt(MAGIC.length);
        if (!Arrays.equals(MAGIC, 0, MAGIC.length, first, 0, MAGIC.length) || count < 1 || count > MOST_RANGES) {
            throw damaged(file, "it begins as no group does");
        }
        return headerBytes(count);
    }

    /**
     * Reads a header.
     *
     * @param length of the whole file
     * @return the ranges with their places in the file, without bytes
     * @throws IOException when it is damaged
     */
    static List<WrittenPiece> decode(FilePath file, FileVersion version, byte[] header, long length)
            throws IOException {
        ByteBuffer in = ByteBuffer.wrap(header);
        if (in.getInt(header.length - Integer.BYTES) != checksum(header, header.length - Integer.BYTES)) {
            throw damaged(file, "the checksum of its ranges does not fit");
        }
        int count = in.position(MAGIC.length).getInt();
        List<WrittenPiece> pieces = new ArrayList<>(count);
        long at = header.length;
        for (int i = 0; i < count; i++) {
            long offset = in.getLong();
            long signed = in.getLong();
            long bytes = Math.abs(signed);
            if (offset < 0 || bytes <= 0 || offset > Long.MAX_VALUE - bytes || signed > length - at) {
                throw damaged(file, "it has %d bytes at %d".formatted(signed, offset));
            }
            if (signed < 0) {
                pieces.add(WrittenPiece.hole(offset, bytes));
            } else {
                pieces.add(WrittenPiece.logged(offset, bytes, new LogPlace(file, version, at)));
                at += bytes;
            }
        }
        if (at != length) {
            throw damaged(file, "it has %d bytes, and its ranges %d".formatted(length, at));
        }
        return pieces;
    }

    private static int headerBytes(int count) {
        return FIRST_BYTES + count * RANGE_BYTES + Integer.BYTES;
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }

    private static void checkCount(int count) {
        if (count < 1 || count > MOST_RANGES) {
            throw new IllegalArgumentException("a group of %d ranges".formatted(count));
        }
    }

    private static IOException damaged(FilePath file, String why) {
        return new IOException(
                "%s is damaged: %s. It has synced writes of a volume; keep it, and ask for help".formatted(file, why));
    }
}
