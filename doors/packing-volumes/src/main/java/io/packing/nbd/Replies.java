// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** The replies to a client, in any order. Each method writes one reply, or one chunk of it. Thread-safe. */
final class Replies {
    private final DataOutputStream out;
    private final boolean structured;

    Replies(NbdSession session) {
        this.out = session.streams().out();
        this.structured = session.structured();
    }

    boolean isStructured() {
        return structured;
    }

    /** Tells the success of a request whose reply has no data. */
    synchronized void done(NbdRequest request) throws IOException {
        simple(request, 0);
        out.flush();
    }

    synchronized void failed(NbdRequest request, NbdError error, String message) throws IOException {
        if (structured) {
            byte[] text = message.getBytes(UTF_8);
            int length = Math.min(text.length, NbdNumbers.MOST_TEXT);
            chunk(request, NbdNumbers.CHUNK_DONE, NbdNumbers.CHUNK_ERROR, Integer.BYTES + Short.BYTES + length);
            out.writeInt(error.number());
            out.writeShort(length);
            out.write(text, 0, length);
        } else {
            simple(request, error.number());
        }
        out.flush();
    }

    /** The source of bytes of a reply that comes in pieces. */
    interface Pieces {
        /** Returns the next bytes; the caller asks no more once it has all. */
        ByteBuffer next() throws IOException;
    }

    /**
     * Writes all bytes of a read in one reply.
     *
     * @param first the first bytes; the pieces follow them
     * @throws IOException also when a piece is not there: the client waits for it, and the connection has to end
     */
    synchronized void whole(NbdRequest request, ByteBuffer first, Pieces pieces) throws IOException {
        if (structured) {
            chunk(request, NbdNumbers.CHUNK_DONE, NbdNumbers.CHUNK_OFFSET_DATA, (int) (Long.BYTES + request.length()));
            out.writeLong(request.offset());
        } else {
            simple(request, 0);
        }
        long left = request.length() - first.remaining();
        put(first);
        while (left > 0) {
            ByteBuffer next = pieces.next();
            left -= next.remaining();
            put(next);
        }
        out.flush();
    }

    /** Writes a part of a read. */
    synchronized void data(NbdRequest request, long offset, ByteBuffer bytes, boolean last) throws IOException {
        chunk(request, last ? NbdNumbers.CHUNK_DONE : 0, NbdNumbers.CHUNK_OFFSET_DATA, Long.BYTES + bytes.remaining());
        out.writeLong(offset);
        put(bytes);
        out.flush();
    }

    /** Writes a part of a read that is zeros. */
    synchronized void hole(NbdRequest request, long offset, int length, boolean last) throws IOException {
        chunk(request, last ? NbdNumbers.CHUNK_DONE : 0, NbdNumbers.CHUNK_OFFSET_HOLE, Long.BYTES + Integer.BYTES);
        out.writeLong(offset);
        out.writeInt(length);
        out.flush();
    }

    /** Writes which ranges are holes. */
    synchronized void ranges(NbdRequest request, List<DeviceRange> ranges) throws IOException {
        chunk(
                request,
                NbdNumbers.CHUNK_DONE,
                NbdNumbers.CHUNK_BLOCK_STATUS,
                Integer.BYTES + ranges.size() * 2 * Integer.BYTES);
        out.writeInt(NbdNumbers.ALLOCATION_ID);
        for (DeviceRange range : ranges) {
            out.writeInt((int) range.length());
            out.writeInt(range.isHole() ? NbdNumbers.STATE_HOLE | NbdNumbers.STATE_ZERO : 0);
        }
        out.flush();
    }

    private void put(ByteBuffer bytes) throws IOException {
        out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    }

    private void simple(NbdRequest request, int error) throws IOException {
        out.writeInt(NbdNumbers.SIMPLE_REPLY_MAGIC);
        out.writeInt(error);
        out.writeLong(request.cookie());
    }

    private void chunk(NbdRequest request, int flags, int type, int length) throws IOException {
        out.writeInt(NbdNumbers.STRUCTURED_REPLY_MAGIC);
        out.writeShort(flags);
        out.writeShort(type);
        out.writeLong(request.cookie());
        out.writeInt(length);
    }
}
