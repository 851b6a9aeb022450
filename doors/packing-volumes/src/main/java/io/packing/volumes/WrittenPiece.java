// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A range of a volume with its written bytes, which do not change.
 *
 * @param bytes from index 0 to its limit; without any, they are zeros, and the range is a hole, unless they have a place
 * @param place of the bytes, once the log has them
 */
record WrittenPiece(long offset, long length, ByteBuffer bytes, Optional<LogPlace> place) {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final ByteBuffer ZEROS = ByteBuffer.allocate(64 << 10).asReadOnlyBuffer();

    WrittenPiece {
        if (offset < 0 || length <= 0 || (bytes.limit() != 0 && bytes.limit() != length)) {
            throw new IllegalArgumentException("%d bytes at %d, of %d".formatted(length, offset, bytes.limit()));
        }
    }

    static WrittenPiece hole(long offset, long length) {
        return new WrittenPiece(offset, length, NOTHING, Optional.empty());
    }

    /** Takes the remaining bytes of a buffer, which the caller may change afterwards. */
    static WrittenPiece copy(long offset, ByteBuffer bytes) {
        ByteBuffer copy = ByteBuffer.allocate(bytes.remaining());
        copy.put(bytes).flip();
        return new WrittenPiece(offset, copy.limit(), copy, Optional.empty());
    }

    /** Makes a range of data whose bytes are in the log only. */
    static WrittenPiece logged(long offset, long length, LogPlace place) {
        return new WrittenPiece(offset, length, NOTHING, Optional.of(place));
    }

    /** Returns this piece with the place that its bytes have in the log; a hole has none. */
    WrittenPiece at(LogPlace where) {
        return isHole() ? this : new WrittenPiece(offset, length, bytes, Optional.of(where));
    }

    /** Returns this piece without its bytes, which the log has. */
    WrittenPiece withoutBytes() {
        return isHole() ? this : new WrittenPiece(offset, length, NOTHING, place);
    }

    /** Returns whether its bytes are in memory, or are zeros. */
    boolean isHere() {
        return bytes.limit() > 0 || place.isEmpty();
    }

    boolean isHole() {
        return bytes.limit() == 0 && place.isEmpty();
    }

    long end() {
        return offset + length;
    }

    /** Returns the part between two offsets within. */
    WrittenPiece part(long start, long end) {
        if (start == offset && end == end()) {
            return this;
        }
        ByteBuffer part = bytes.limit() == 0 ? NOTHING : bytes.slice((int) (start - offset), (int) (end - start));
        return new WrittenPiece(start, end - start, part, place.map(whole -> whole.plus(start - offset)));
    }

    /** Returns whether another piece goes on where this one ends, in the volume and in the log. */
    boolean isContinuedBy(WrittenPiece next) {
        return end() == next.offset
                && isHole() == next.isHole()
                && place.map(it -> it.plus(length)).equals(next.place);
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
