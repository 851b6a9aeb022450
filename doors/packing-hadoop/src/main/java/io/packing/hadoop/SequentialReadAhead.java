// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.worker.api.PackingInput;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The next bytes of a sequential reader. Hadoop's readers ask for a few bytes at a time, and each call would be a
 * request at the worker while the file is buffered. Confined to one thread.
 */
final class SequentialReadAhead {
    private static final int LEAST_BYTES = 64 << 10;

    private final PackingInput input;
    private final int capacity;
    /** Empty until the first short read: a file that is read in one go needs no copy. */
    private ByteBuffer window = ByteBuffer.allocate(0);

    private long start;
    private int filled;

    /** Reads as far ahead as asked, and at least 64 KiB, but not past the file. */
    SequentialReadAhead(PackingInput input, int wantedBytes) {
        this.input = input;
        this.capacity = (int)
                Math.min(Math.max(LEAST_BYTES, wantedBytes), input.attributes().length());
    }

    /** As {@link PackingInput#read}. */
    int read(long position, byte[] bytes, int offset, int count) throws IOException {
        if (position < start || position >= start + filled) {
            if (count >= capacity) {
                return input.read(position, ByteBuffer.wrap(bytes, offset, count));
            }
            if (fill(position) < 0) {
                return -1;
            }
        }
        int n = (int) Math.min(count, start + filled - position);
        window.get((int) (position - start), bytes, offset, n);
        return n;
    }

    private int fill(long position) throws IOException {
        if (window.capacity() < capacity) {
            window = ByteBuffer.allocate(capacity);
        }
        // Nothing is there until the read is done: it may fail half way.
        filled = 0;
        window.clear();
        int n = input.read(position, window);
        start = position;
        filled = Math.max(0, n);
        return n;
    }
}
