// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The lines of a log as they come, as ISO 8859-1, so that a character is a byte. Memory: one line. Confined to one
 * thread.
 */
final class LogLines {
    /** The length of the longest line that can be one of a log. */
    private static final int LONGEST = 1 << 20;

    private static final int SAMPLE = 80;

    private final InputStream in;
    private byte[] line = new byte[1 << 12];
    private int length;
    private boolean fits;
    private final byte[] buffer = new byte[1 << 16];
    private int at;
    private int end;
    private boolean ended;

    /** @param in read to its end; closed by the caller */
    LogLines(InputStream in) {
        this.in = in;
    }

    /** Returns whether the line is the last one, without a newline. */
    boolean ended() {
        return ended;
    }

    /** Returns whether the line is short enough. */
    boolean fits() {
        return fits;
    }

    boolean isEmpty() {
        return length == 0;
    }

    String text() {
        return new String(line, 0, length, StandardCharsets.ISO_8859_1);
    }

    /** Returns the beginning of the line. */
    String sample() {
        return new String(line, 0, Math.min(length, SAMPLE), StandardCharsets.ISO_8859_1);
    }

    /** Reads up to the next newline or the end. */
    void read() throws IOException {
        length = 0;
        fits = true;
        while (true) {
            if (at == end) {
                end = in.read(buffer);
                at = 0;
                if (end < 0) {
                    end = 0;
                    ended = true;
                    return;
                }
            }
            int from = at;
            while (at < end && buffer[at] != '\n') {
                at++;
            }
            add(from);
            if (at < end) {
                at++;
                return;
            }
        }
    }

    private void add(int from) {
        int more = at - from;
        if (length + more > LONGEST) {
            fits = false;
            return;
        }
        if (length + more > line.length) {
            line = Arrays.copyOf(line, Math.max(2 * line.length, length + more));
        }
        System.arraycopy(buffer, from, line, length, more);
        length += more;
    }
}
