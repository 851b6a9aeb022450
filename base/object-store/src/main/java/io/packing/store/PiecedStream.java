// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** A range of an object that is read in pieces, with a request for each. Confined to one thread. */
final class PiecedStream extends InputStream {
    private static final int PIECE = 8 << 20;

    private final ObjectStore store;
    private final String key;
    private long offset;
    private int left;
    private ByteBuffer piece = ByteBuffer.allocate(0);

    PiecedStream(ObjectStore store, String key, long offset, int length) {
        this.store = store;
        this.key = key;
        this.offset = offset;
        this.left = length;
    }

    @Override
    public int read() throws IOException {
        return hasMore() ? piece.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!hasMore()) {
            return -1;
        }
        int count = Math.min(length, piece.remaining());
        piece.get(into, at, count);
        return count;
    }

    private boolean hasMore() throws IOException {
        if (!piece.hasRemaining() && left > 0) {
            int count = Math.min(PIECE, left);
            piece = store.get(key, offset, count);
            offset += count;
            left -= count;
        }
        return piece.hasRemaining();
    }
}
