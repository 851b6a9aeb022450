// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.buffers.Slices;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;

/** The checks of byte ranges and page sizes, and the reads of file ranges, that all stores share. */
public final class RangeChecks {
    private RangeChecks() {}

    /** Refuses a range that no object can have. */
    public static void check(long offset, int length) {
        if (offset < 0 || length < 0 || offset > Long.MAX_VALUE - length) {
            throw new IllegalArgumentException("bad range %d+%d".formatted(offset, length));
        }
    }

    static void checkInside(String key, long offset, int length, long size) throws RangeBeyondObjectException {
        if (offset + length > size) {
            throw beyond(key, offset, length, size);
        }
    }

    /** Makes the failure of a range beyond an object's end. */
    public static RangeBeyondObjectException beyond(String key, long offset, int length, long size) {
        return new RangeBeyondObjectException(
                "%s: range %d+%d reaches beyond the object's %d bytes".formatted(key, offset, length, size));
    }

    static ByteBuffer read(FileChannel channel, String name, long offset, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, offset + bytes.position()) < 0) {
                throw beyond(name, offset, length, channel.size());
            }
        }
        return bytes.flip();
    }

    /** Returns the bytes that fit into buffers. */
    public static int room(List<ByteBuffer> buffers) {
        return buffers.stream().mapToInt(ByteBuffer::remaining).sum();
    }

    /** Copies bytes into buffers, one after the other; returns their number. */
    static int scatter(ByteBuffer bytes, List<ByteBuffer> into) {
        int count = 0;
        for (ByteBuffer each : into) {
            int n = Math.min(each.remaining(), bytes.remaining() - count);
            each.put(Slices.of(bytes, bytes.position() + count, n));
            count += n;
        }
        return count;
    }

    /** Refuses a page without keys. */
    public static void checkLimit(int limit) {
        if (limit <= 0) {
            throw new IllegalArgumentException("a page of %d keys".formatted(limit));
        }
    }
}
