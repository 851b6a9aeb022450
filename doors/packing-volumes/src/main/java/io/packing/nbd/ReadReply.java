// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** The reply to a read, in pieces: it never has more than one of them in memory. */
final class ReadReply {
    /** A piece: large enough for a request of the store, small enough for many connections. */
    static final int PIECE = 256 << 10;

    private static final int MOST_RANGES = 1_024;

    private final NbdDevice device;
    private final Replies replies;
    private final NbdRequest request;

    ReadReply(NbdDevice device, Replies replies, NbdRequest request) {
        this.device = device;
        this.replies = replies;
        this.request = request;
    }

    /**
     * Reads and replies.
     *
     * @throws NbdException when nothing was sent, so that an error can be
     * @throws IOException otherwise: the connection has to end
     */
    void send() throws IOException {
        if (replies.isStructured() && !request.has(NbdNumbers.CMD_FLAG_DF) && request.length() > 0) {
            chunks();
        } else {
            whole();
        }
    }

    private void whole() throws IOException {
        ByteBuffer first = piece(request.offset(), request.length());
        long[] at = {request.offset() + first.remaining()};
        replies.whole(request, first, () -> {
            ByteBuffer next;
            try {
                next = piece(at[0], request.offset() + request.length() - at[0]);
            } catch (NbdException e) {
                throw new IOException("a read failed after a part of its reply was sent: " + e.getMessage(), e);
            }
            at[0] += next.remaining();
            return next;
        });
    }

    /** Sends holes without their zeros. An error after some chunks is one more chunk. */
    private void chunks() throws IOException {
        long end = request.offset() + request.length();
        long at = request.offset();
        while (at < end) {
            List<DeviceRange> ranges = ranges(at, end - at);
            for (DeviceRange range : ranges) {
                if (range.isHole()) {
                    replies.hole(request, range.offset(), (int) range.length(), range.end() == end);
                    at = range.end();
                }
                while (at < range.end()) {
                    ByteBuffer piece = piece(at, range.end() - at);
                    int length = piece.remaining();
                    replies.data(request, at, piece, at + length == end);
                    at += length;
                }
            }
        }
    }

    private List<DeviceRange> ranges(long at, long length) throws IOException {
        try {
            return device.ranges(at, length, MOST_RANGES);
        } catch (IOException e) {
            throw sendable(e);
        }
    }

    private ByteBuffer piece(long at, long most) throws IOException {
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE, most));
        try {
            device.read(at, piece);
        } catch (IOException e) {
            throw sendable(e);
        }
        return piece.flip();
    }

    private static NbdException sendable(IOException failure) {
        return new NbdException(NbdException.of(failure), String.valueOf(failure.getMessage()), failure);
    }
}
