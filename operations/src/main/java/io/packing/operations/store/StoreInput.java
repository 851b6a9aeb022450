// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.store;

import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSInputStream;

/** An object that is read from its beginning to its end, a window a request. For one thread. */
final class StoreInput extends FSInputStream {
    static final int WINDOW_BYTES = 8 << 20;

    private final ObjectStore store;
    private final ObjectInfo object;
    private long position;
    private long windowStart;
    private ByteBuffer window = ByteBuffer.allocate(0);

    StoreInput(ObjectStore store, ObjectInfo object) {
        this.store = store;
        this.object = object;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        if (position >= object.length()) {
            return -1;
        }
        if (position < windowStart || position >= windowStart + window.limit()) {
            window = store.get(object.key(), position, (int) Math.min(WINDOW_BYTES, object.length() - position));
            windowStart = position;
        }
        int from = (int) (position - windowStart);
        int read = Math.min(count, window.limit() - from);
        window.get(from, bytes, offset, read);
        position += read;
        return read;
    }

    @Override
    public int available() {
        return (int) Math.min(Integer.MAX_VALUE, object.length() - position);
    }

    @Override
    public void seek(long to) throws IOException {
        if (to < 0 || to > object.length()) {
            throw new EOFException("%s has %d bytes, and not %d".formatted(object.key(), object.length(), to));
        }
        position = to;
    }

    @Override
    public long getPos() {
        return position;
    }

    @Override
    public boolean seekToNewSource(long to) {
        return false;
    }
}
