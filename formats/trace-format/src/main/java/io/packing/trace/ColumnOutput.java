// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing sequence of bytes: variable-length integers, texts and raw bytes. Confined to one thread. */
final class ColumnOutput {
    private static final int FIRST = 1 << 10;
    private static final int VARINT_MAX = 10;

    private byte[] bytes = new byte[FIRST];
    private int size;

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }

    void byte1(int value) {
        room(1);
        bytes[size++] = (byte) value;
    }

    /** Writes an unsigned number, seven bits a byte, the lowest first. */
    void varint(long value) {
        room(VARINT_MAX);
        if ((value & ~0x7fL) == 0) {
            bytes[size++] = (byte) value;
            return;
        }
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    /** Writes a signed number; small absolute values are short. */
    void zigzag(long value) {
        varint(zigzagOf(value));
    }

    static long zigzagOf(long value) {
        return (value << 1) ^ (value >> 63);
    }

    void text(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        varint(utf8.length);
        raw(utf8, utf8.length);
    }

    void fixed8(long value) {
        room(Long.BYTES);
        for (int i = 0; i < Long.BYTES; i++) {
            bytes[size++] = (byte) (value >>> (8 * i));
        }
    }

    void column(ColumnOutput other) {
        varint(other.size);
        raw(other.bytes, other.size);
    }

    private void raw(byte[] from, int length) {
        room(length);
        System.arraycopy(from, 0, bytes, size, length);
        size += length;
    }

    void zeros(int count) {
        room(count);
        Arrays.fill(bytes, size, size + count, (byte) 0);
        size += count;
    }

    byte[] bytes() {
        return bytes;
    }

    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }
}
