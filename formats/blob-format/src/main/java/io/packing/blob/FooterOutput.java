// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.util.Arrays;

/** A growing byte array with the number encodings of the footer (blob-format.md, section 3). */
final class FooterOutput {
    private byte[] bytes;
    private int size;

    FooterOutput(int capacity) {
        bytes = new byte[capacity];
    }

    void varint(long value) {
        reserve(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    /** Writes a signed number by zigzag. */
    void signed(long value) {
        varint(value << 1 ^ value >> 63);
    }

    void octet(int value) {
        reserve(1);
        bytes[size++] = (byte) value;
    }

    void fixed32(int value) {
        reserve(4);
        for (int shift = 0; shift < 32; shift += 8) {
            bytes[size++] = (byte) (value >>> shift);
        }
    }

    void raw(byte[] source, int from, int to) {
        reserve(to - from);
        System.arraycopy(source, from, bytes, size, to - from);
        size += to - from;
    }

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    private void reserve(int more) {
        long wanted = (long) size + more;
        if (wanted > BlobTrailer.MAX_INFLATED) {
            throw new IllegalArgumentException("the footer is larger than %d bytes: put fewer files into one blob"
                    .formatted(BlobTrailer.MAX_INFLATED));
        }
        if (wanted > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(BlobTrailer.MAX_INFLATED, Math.max(wanted, 2L * bytes.length)));
        }
    }
}
