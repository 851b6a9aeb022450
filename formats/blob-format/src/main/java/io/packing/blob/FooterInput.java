// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

/**
 * A bounds-checked cursor over an inflated footer (blob-format.md, section 3). It takes every overrun for a corrupt
 * blob.
 */
final class FooterInput {
    private final String blob;
    private final byte[] bytes;
    private int at;

    FooterInput(String blob, byte[] bytes) {
        this.blob = blob;
        this.bytes = bytes;
    }

    int at() {
        return at;
    }

    int remaining() {
        return bytes.length - at;
    }

    long varint() throws CorruptBlobException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte b = bytes[take(1)];
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                if (shift == 63 && b > 1) {
                    break;
                }
                return value;
            }
        }
        throw corrupt("a number is longer than 64 bits");
    }

    /** Returns a varint from 0 to {@code most}. */
    int count(String what, int most) throws CorruptBlobException {
        long value = varint();
        if (value < 0 || value > most) {
            throw corrupt("%s is %s, at most %d is possible".formatted(what, Long.toUnsignedString(value), most));
        }
        return (int) value;
    }

    /** Returns a varint below 2^63. */
    long size(String what) throws CorruptBlobException {
        long value = varint();
        if (value < 0) {
            throw corrupt("%s is %s, past 2^63".formatted(what, Long.toUnsignedString(value)));
        }
        return value;
    }

    long signed() throws CorruptBlobException {
        long value = varint();
        return value >>> 1 ^ -(value & 1);
    }

    int octet() throws CorruptBlobException {
        return bytes[take(1)] & 0xff;
    }

    int fixed32() throws CorruptBlobException {
        int from = take(4);
        return (bytes[from] & 0xff)
                | (bytes[from + 1] & 0xff) << 8
                | (bytes[from + 2] & 0xff) << 16
                | (bytes[from + 3] & 0xff) << 24;
    }

    /** Passes over bytes and returns their start. */
    int take(int count) throws CorruptBlobException {
        if (count > bytes.length - at) {
            throw corrupt("it ends inside an entry");
        }
        int from = at;
        at += count;
        return from;
    }

    CorruptBlobException corrupt(String what) {
        return new CorruptBlobException("%s: bad footer at byte %d: %s".formatted(blob, at, what));
    }
}
