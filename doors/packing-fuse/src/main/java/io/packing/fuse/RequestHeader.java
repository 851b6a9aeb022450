// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.nio.ByteBuffer;

/** {@code struct fuse_in_header}: the head of every request. */
record RequestHeader(int length, int opcode, long unique, long node, int user, int group, int process, int extension) {
    static final int SIZE = 40;
    /** Set in {@code unique} of requests that are sent again. */
    private static final long AGAIN = 1L << 63;

    static RequestHeader read(ByteBuffer in) {
        int start = in.position();
        RequestHeader header = new RequestHeader(
                in.getInt(start),
                in.getInt(start + 4),
                in.getLong(start + 8),
                in.getLong(start + 16),
                in.getInt(start + 24),
                in.getInt(start + 28),
                in.getInt(start + 32),
                8 * (in.getShort(start + 36) & 0xffff));
        in.position(start + SIZE);
        return header;
    }

    boolean isAgain() {
        return (unique & AGAIN) != 0;
    }
}
