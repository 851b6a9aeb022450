// SPDX-License-Identifier: Apache-2.0
package io.packing.buffers;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Parts of buffers, for code that enters other products' processes. The build rewrites it for Java 11, where {@link
 * ByteBuffer#slice(int, int)} has a stand-in. That one moves the buffer for a moment, during which other threads may
 * read it, and its parts have the capacity of all that follows.
 */
public final class Slices {
    private Slices() {}

    /**
     * Returns some bytes of a buffer, which stays as it is: position 0, limit and capacity {@code length}, big endian.
     * Any number of threads may take parts of one buffer.
     *
     * @param index of the first byte, independent of the buffer's position
     * @throws IndexOutOfBoundsException when the bytes are not all before the buffer's limit
     */
    public static ByteBuffer of(ByteBuffer buffer, int index, int length) {
        int from = Objects.checkFromIndexSize(index, length, buffer.limit());
        return buffer.duplicate().position(from).limit(from + length).slice();
    }
}
