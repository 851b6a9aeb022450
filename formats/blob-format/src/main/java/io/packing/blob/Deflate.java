// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Raw DEFLATE (RFC 1951) between buffers of known size. */
final class Deflate {
    private static final int MOST_RATIO = 258 * 8 / 2;

    private Deflate() {}

    /**
     * Deflates the remaining bytes, without moving their buffer. Returns false when they do not fit; then the target
     * has useless bytes.
     */
    static boolean deflate(ByteBuffer bytes, ByteBuffer target, int level) {
        Deflater deflater = new Deflater(level, true);
        try {
            deflater.setInput(bytes.duplicate());
            deflater.finish();
            while (!deflater.finished()) {
                if (deflater.deflate(target) == 0 && !deflater.finished()) {
                    return false;
                }
            }
            return true;
        } finally {
            deflater.end();
        }
    }

    /** Checks that so few stored bytes can inflate to so many: 258 bytes take at least two bits. */
    static void check(int stored, int length) throws DataFormatException {
        if (length > (long) MOST_RATIO * stored) {
            throw new DataFormatException("%d bytes are never stored in %d".formatted(length, stored));
        }
    }

    /** Inflates one stream that must use up all remaining bytes and fill the target exactly. */
    static void inflate(ByteBuffer stored, byte[] target) throws DataFormatException {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(stored.duplicate());
            int size = 0;
            while (!inflater.finished()) {
                // One spare byte shows a stream that would go on past the target.
                byte[] spare = size < target.length ? target : new byte[1];
                int at = size < target.length ? size : 0;
                int count = inflater.inflate(spare, at, spare.length - at);
                size += count;
                if (size > target.length) {
                    throw new DataFormatException("more bytes than announced");
                }
                if (count == 0 && !inflater.finished()) {
                    throw new DataFormatException("the stream ends early after %d bytes".formatted(size));
                }
            }
            if (size != target.length || inflater.getRemaining() != 0) {
                throw new DataFormatException(
                        "%d bytes, and %d stored bytes left over".formatted(size, inflater.getRemaining()));
            }
        } finally {
            inflater.end();
        }
    }
}
