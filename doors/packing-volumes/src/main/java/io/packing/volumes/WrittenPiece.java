// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import java.nio.ByteBuffer;

/**
 * A range of a volume with its written bytes, which do not change.
 *
 * @param bytes from index 0 to its limit; without any, they are zeros, and the range is a hole
 */
record WrittenPiece(long offset, long length, ByteBuffer bytes) {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final ByteBuffer ZEROS = ByteBuffer.allocate(64 << 10).asReadOnlyBuffer();

    WrittenPiece {
        if (offset < 0 || length <= 0 || (bytes.limit() != 0 && bytes.limit() != length)) {
            throw new IllegalArgumentException("%d bytes at %d, of %d".formatted(length, offset, bytes.limit()));
        }
    }

    static WrittenPiece hole(long offset, long length) {
        return new WrittenPiece(offset, length, NOTHING);
    }

    /** Takes the remaining bytes of a buffer, which the caller may change afterwards. */
    static WrittenPiece copy(long offset, ByteBuffer bytes) {
        ByteBuffer copy = ByteBuffer.allocate(bytes.remaining());
        copy.put(bytes).flip();
        return new WrittenPiece(offset, copy.limit(), copy);
    }

    boolean isHole() {
        return bytes.limit() == 0;
    }

    long end() {
        return offset + length;
    }

    /** Returns the part between two offsets within. */
    WrittenPiece part(long start, long end) {
        if (start == offset && end == end()) {
            return this;
        }
        ByteBuffer part = isHole() ? NOTHING : bytes.slice((int) (start - offset), (int) (end - start));
        return new WrittenPiece(start, end - start, part);
    }

    /** Puts its bytes into a buffer, from an index on. */
    void copyInto(ByteBuffer buffer, int index) {
        if (!isHole()) {
            ByteBuffer unused = buffer.put(index, bytes, 0, (int) length);
            return;
        }
        for (int done = 0; done < length; ) {
            int count = (int) Math.min(ZEROS.limit(), length - done);
            ByteBuffer unused = buffer.put(index + done, ZEROS, 0, count);
            done += count;
        }
    }
}
