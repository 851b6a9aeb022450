// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;

/** The reading of bodies of answers. One that breaks off is an {@link Attempts.Transient}. */
public final class AnswerBodies {
    private static final int COPY_BYTES = 256 << 10;

    private AnswerBodies() {}

    /** Reads so many bytes. */
    public static ByteBuffer read(InputStream body, int count, String what) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        fill(body, bytes, what);
        return bytes.flip();
    }

    /** Fills buffers over arrays, one after the other. Their positions stay, so that another attempt fills them again. */
    public static void fill(InputStream body, List<ByteBuffer> into, String what) throws IOException {
        for (ByteBuffer each : into) {
            fill(body, each.duplicate(), what);
        }
    }

    private static void fill(InputStream body, ByteBuffer into, String what) throws IOException {
        int start = into.position();
        while (into.hasRemaining()) {
            int count = read(body, into.array(), into.arrayOffset() + into.position(), into.remaining(), what);
            if (count < 0) {
                throw brokenOff(what, into.position() - start, into.limit() - start);
            }
            into.position(into.position() + count);
        }
    }

    private static int read(InputStream body, byte[] into, int offset, int length, String what) throws IOException {
        try {
            return body.read(into, offset, length);
        } catch (IOException e) {
            throw new Attempts.Transient("%s: %s".formatted(what, e.getMessage()), false, e);
        }
    }

    private static Attempts.Transient brokenOff(String what, long done, long size) {
        return new Attempts.Transient(
                "%s: the answer broke off after %d of %d bytes".formatted(what, done, size), false, null);
    }

    /**
     * Writes a body to the end of a file.
     *
     * @param size of the body; negative: the answer does not tell it
     * @return the size
     */
    public static long copy(InputStream body, long size, FileChannel target, String what) throws IOException {
        if (size < 0) {
            throw new Attempts.Transient("%s: the answer does not tell its length".formatted(what), false, null);
        }
        byte[] buffer = new byte[COPY_BYTES];
        long done = 0;
        while (done < size) {
            int count = read(body, buffer, 0, (int) Math.min(buffer.length, size - done), what);
            if (count < 0) {
                throw brokenOff(what, done, size);
            }
            ByteBuffer chunk = ByteBuffer.wrap(buffer, 0, count);
            while (chunk.hasRemaining()) {
                done += target.write(chunk);
            }
        }
        return done;
    }
}
