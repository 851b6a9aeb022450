// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.guarded;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Marks that distinguish secrets from other bytes. Eight bytes repeat through the bytes of a secret: six that all
 * secrets share, and two of this one. So every piece of 13 bytes has the six. A secret text has the eight bytes as
 * hexadecimal digits.
 */
final class Marks {
    /** The byte of a file outside of its secret. */
    static final byte FILLER = '.';

    private static final int TAG = 6;
    private static final int PERIOD = TAG + 2;

    private final byte[] tag = new byte[TAG];
    private final byte[] textTag;

    Marks(SplittableRandom random) {
        for (int i = 0; i < TAG; i++) {
            // The values exclude zero, as which a hole reads, and the filler.
            tag[i] = (byte) random.nextInt(128, 256);
        }
        this.textTag = hex(tag).getBytes(StandardCharsets.US_ASCII);
    }

    private static String hex(byte[] bytes) {
        StringBuilder hex = new StringBuilder();
        for (byte each : bytes) {
            hex.append("%02x".formatted(each));
        }
        return hex.toString();
    }

    private byte[] mark(int secret) {
        byte[] mark = new byte[PERIOD];
        System.arraycopy(tag, 0, mark, 0, TAG);
        mark[TAG] = (byte) (1 + secret / 120);
        mark[TAG + 1] = (byte) (0x80 + secret % 120);
        return mark;
    }

    /** Puts a secret into a range of bytes. */
    void fill(byte[] bytes, int from, int to, int secret) {
        byte[] mark = mark(secret);
        for (int i = from; i < to; i++) {
            bytes[i] = mark[i % PERIOD];
        }
    }

    /** Returns a secret text, such as a name. */
    String text(int secret) {
        return "s" + hex(mark(secret));
    }

    /** Returns a secret in the bytes, as text; empty without one. */
    Optional<String> in(byte[] bytes) {
        int at = find(bytes, tag);
        if (at >= 0) {
            return Optional.of(shown(bytes, at, PERIOD));
        }
        int text = find(bytes, textTag);
        return text < 0
                ? Optional.empty()
                : Optional.of(
                        new String(bytes, text, Math.min(2 * PERIOD, bytes.length - text), StandardCharsets.US_ASCII));
    }

    private static String shown(byte[] bytes, int at, int length) {
        byte[] part = new byte[Math.min(length, bytes.length - at)];
        System.arraycopy(bytes, at, part, 0, part.length);
        return hex(part);
    }

    private static int find(byte[] bytes, byte[] wanted) {
        for (int at = 0; at <= bytes.length - wanted.length; at++) {
            int same = 0;
            while (same < wanted.length && bytes[at + same] == wanted[same]) {
                same++;
            }
            if (same == wanted.length) {
                return at;
            }
        }
        return -1;
    }

    /**
     * Returns the six common bytes and their digits, each as a line of hexadecimal digits, for a judge in another
     * process.
     */
    String lines() {
        return hex(tag) + "\n" + hex(textTag) + "\n";
    }
}
