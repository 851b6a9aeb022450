// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** A gzip member that inflates to a thousand times its length, made without deflating all of it. */
final class Bomb {
    private static final int CHUNK = 64 << 20;
    /** The header of a member without name and time (RFC 1952). */
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 2, (byte) 0xff};
    /** An empty block that is the last one (RFC 1951). */
    private static final byte[] LAST_BLOCK = {3, 0};

    private Bomb() {}

    /**
     * Bytes, and zeros behind them.
     *
     * @param chunks of 64 MB of zeros
     */
    static byte[] gzip(byte[] start, int chunks) throws IOException {
        byte[] zeros = new byte[CHUNK];
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CRC32 crc = new CRC32();
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        try {
            out.write(HEADER);
            out.write(deflated(deflater, start));
            out.write(deflated(deflater, zeros));
            // A flushed chunk refers to zeros before it only, so its bytes can be repeated.
            byte[] repeated = deflated(deflater, zeros);
            for (int i = 1; i < chunks; i++) {
                out.write(repeated);
            }
            out.write(LAST_BLOCK);
        } finally {
            deflater.end();
        }
        crc.update(start);
        for (int i = 0; i < chunks; i++) {
            crc.update(zeros);
        }
        ByteBuffer trailer = ByteBuffer.allocate(2 * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        trailer.putInt((int) crc.getValue()).putInt((int) (start.length + (long) chunks * CHUNK));
        out.write(trailer.array());
        return out.toByteArray();
    }

    private static byte[] deflated(Deflater deflater, byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[64 << 10];
        deflater.setInput(bytes);
        for (int n = buffer.length; n == buffer.length; ) {
            n = deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH);
            out.write(buffer, 0, n);
        }
        return out.toByteArray();
    }
}
