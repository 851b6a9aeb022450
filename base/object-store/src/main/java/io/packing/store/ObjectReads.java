// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;

/** The reads of objects in a cloud's store, by whole keys. A subclass sends the requests, and asks again after a broken answer. */
public abstract class ObjectReads {
    /** The status of an answer that has none of the bytes. Servers give it also to any range of an empty object. */
    protected static final int RANGE_NOT_SATISFIABLE = 416;

    /** A receiver of the body of an answer, of so many bytes. */
    public interface Body<T> {
        T take(InputStream stream, int count) throws IOException;
    }

    /**
     * Asks for a range.
     *
     * @param isPastCaches true: past caches on the way, over a connection that is not used again
     * @param none the result when the object has none of the bytes
     */
    protected abstract <T> T ask(
            String key, RequestedRange range, boolean isPastCaches, Body<T> body, T none, Attempts.Moved<T> moved)
            throws IOException;

    /** Reads a whole object into an empty file; a repeated attempt starts over. */
    protected abstract void whole(String key, FileChannel target) throws IOException;

    /** Reads the last bytes of an object; all of a shorter one. */
    protected ByteBuffer tail(String key, int length) throws IOException {
        return length == 0 ? ByteBuffer.allocate(0) : read(key, RequestedRange.tail(key, length), false);
    }

    /** Reads a range. */
    protected final ByteBuffer range(String key, long offset, int length) throws IOException {
        return range(key, offset, length, false);
    }

    final ByteBuffer range(String key, long offset, int length, boolean isPastCaches) throws IOException {
        return length == 0 ? ByteBuffer.allocate(0) : read(key, RequestedRange.of(key, offset, length), isPastCaches);
    }

    private ByteBuffer read(String key, RequestedRange range, boolean isPastCaches) throws IOException {
        return ask(
                key,
                range,
                isPastCaches,
                (stream, count) -> AnswerBodies.read(stream, count, range.what()),
                ByteBuffer.allocate(0),
                ByteBuffer::remaining);
    }

    /** Reads a range straight into buffers over arrays. */
    final int range(String key, long offset, List<ByteBuffer> into) throws IOException {
        int length = RangeChecks.room(into);
        if (length == 0) {
            return 0;
        }
        RequestedRange range = RequestedRange.of(key, offset, length);
        int count = ask(
                key,
                range,
                false,
                (stream, bytes) -> {
                    AnswerBodies.fill(stream, into, range.what());
                    return bytes;
                },
                0,
                bytes -> bytes);
        into.forEach(each -> each.position(each.limit()));
        return count;
    }
}
