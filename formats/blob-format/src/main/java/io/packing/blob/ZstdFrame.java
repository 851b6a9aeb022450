// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.DataFormatException;

/** The checks of a Zstandard frame before its decompression (RFC 8878, section 3.1.1). */
final class ZstdFrame {
    private static final int MAGIC = 0xFD2F_B528;
    /** The bytes of the dictionary's number, by two bits of the descriptor. */
    private static final int[] ID_BYTES = {0, 1, 2, 4};

    private static final int RLE_BLOCK = 1;
    private static final int RESERVED_BLOCK = 3;
    private static final int COMPRESSED_BLOCK = 2;
    /** The most bytes of a block. */
    private static final int MOST_OF_BLOCK = 128 << 10;

    private ZstdFrame() {}

    /**
     * Checks that the remaining bytes are exactly one frame, whose blocks can hold so many bytes.
     *
     * @param length the content size that the frame must state
     * @param dictionary number of the dictionary that it must name; 0: none
     */
    static void check(ByteBuffer stored, int length, int dictionary) throws DataFormatException {
        ByteBuffer frame = stored.slice().order(ByteOrder.LITTLE_ENDIAN);
        try {
            checkHeader(frame, length, dictionary);
            boolean last = false;
            long most = 0;
            while (!last) {
                int head = (int) number(frame, 3);
                last = (head & 1) != 0;
                int type = head >>> 1 & 3;
                if (type == RESERVED_BLOCK) {
                    throw new DataFormatException("the frame has a block of a reserved type");
                }
                most += type == COMPRESSED_BLOCK ? MOST_OF_BLOCK : head >>> 3;
                skip(frame, type == RLE_BLOCK ? 1 : head >>> 3);
            }
            if (length > most) {
                throw new DataFormatException("%d bytes are never in blocks of %d".formatted(length, most));
            }
        } catch (BufferUnderflowException e) {
            DataFormatException early = new DataFormatException("the frame ends early");
            early.initCause(e);
            throw early;
        }
        if (frame.hasRemaining()) {
            throw new DataFormatException("%d bytes follow the frame".formatted(frame.remaining()));
        }
    }

    private static void checkHeader(ByteBuffer frame, int length, int dictionary) throws DataFormatException {
        if (frame.getInt() != MAGIC) {
            throw new DataFormatException("it does not start as a frame of Zstandard");
        }
        int descriptor = frame.get() & 0xff;
        boolean singleSegment = (descriptor & 1 << 5) != 0;
        boolean checksum = (descriptor & 1 << 2) != 0;
        if ((descriptor & 1 << 3) != 0 || checksum) {
            throw new DataFormatException("the frame has a checksum or a reserved bit");
        }
        if (!singleSegment) {
            skip(frame, 1);
        }
        long id = number(frame, ID_BYTES[descriptor & 3]);
        if (id != Integer.toUnsignedLong(dictionary)) {
            throw new DataFormatException("the frame names dictionary %d, want %d (0: none)"
                    .formatted(id, Integer.toUnsignedLong(dictionary)));
        }
        long size = contentSize(frame, descriptor >>> 6, singleSegment);
        if (size != length) {
            throw new DataFormatException("the frame says %s bytes".formatted(Long.toUnsignedString(size)));
        }
    }

    private static long contentSize(ByteBuffer frame, int flag, boolean singleSegment) throws DataFormatException {
        return switch (flag) {
            case 0 -> {
                if (!singleSegment) {
                    throw new DataFormatException("the frame does not say how many bytes it holds");
                }
                yield number(frame, 1);
            }
            case 1 -> number(frame, 2) + 256;
            case 2 -> number(frame, 4);
            default -> frame.getLong();
        };
    }

    private static long number(ByteBuffer frame, int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (frame.get() & 0xffL) << (8 * i);
        }
        return value;
    }

    private static void skip(ByteBuffer frame, int bytes) {
        if (bytes > frame.remaining()) {
            throw new BufferUnderflowException();
        }
        frame.position(frame.position() + bytes);
    }
}
