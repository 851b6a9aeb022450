// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The compact byte coding of stored values: LEB128 variable-length numbers and length-prefixed UTF-8. */
public final class Bytes {
    private Bytes() {}

    /** Appends values; grows as needed. */
    public static final class Out {
        private byte[] bytes = new byte[64];
        private int length;

        Out raw(byte[] value) {
            ensure(value.length);
            System.arraycopy(value, 0, bytes, length, value.length);
            length += value.length;
            return this;
        }

        public Out byte1(int value) {
            ensure(1);
            bytes[length++] = (byte) value;
            return this;
        }

        /** A number from 0 to 2^63 - 1, one byte for each seven bits. */
        public Out number(long value) {
            if (value < 0) {
                throw new IllegalArgumentException("negative number " + value);
            }
            return bits(value);
        }

        /** Any 64 bits, small negative numbers in few bytes. */
        public Out signed(long value) {
            return bits((value << 1) ^ (value >> 63));
        }

        Out fixed4(int value) {
            ensure(4);
            for (int shift = 24; shift >= 0; shift -= 8) {
                bytes[length++] = (byte) (value >>> shift);
            }
            return this;
        }

        /** Big-endian, so that numbers from 0 order as their bytes. */
        public Out fixed8(long value) {
            return fixed4((int) (value >>> 32)).fixed4((int) value);
        }

        public Out blob(byte[] value) {
            return number(value.length).raw(value);
        }

        public Out text(String value) {
            return blob(value.getBytes(StandardCharsets.UTF_8));
        }

        public byte[] toBytes() {
            return Arrays.copyOf(bytes, length);
        }

        int length() {
            return length;
        }

        private Out bits(long value) {
            ensure(10);
            long rest = value;
            while ((rest & ~0x7fL) != 0) {
                bytes[length++] = (byte) (rest | 0x80);
                rest >>>= 7;
            }
            bytes[length++] = (byte) rest;
            return this;
        }

        private void ensure(int more) {
            if (bytes.length - length < more) {
                bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
            }
        }
    }

    /** Reads what {@link Out} wrote. A value that ends early or is out of range is a {@link MalformedException}. */
    public static final class In {
        private final ByteBuffer bytes;

        public In(byte[] bytes) {
            this.bytes = ByteBuffer.wrap(bytes);
        }

        public int byte1() {
            try {
                return bytes.get() & 0xff;
            } catch (BufferUnderflowException e) {
                throw new MalformedException("value ends early", e);
            }
        }

        public long number() {
            long value = bits();
            if (value < 0) {
                throw new MalformedException("negative number");
            }
            return value;
        }

        int smallNumber() {
            long value = number();
            if (value > Integer.MAX_VALUE) {
                throw new MalformedException("number out of range");
            }
            return (int) value;
        }

        public long signed() {
            long value = bits();
            return (value >>> 1) ^ -(value & 1);
        }

        int fixed4() {
            return byte1() << 24 | byte1() << 16 | byte1() << 8 | byte1();
        }

        public long fixed8() {
            return (long) fixed4() << 32 | (fixed4() & 0xffff_ffffL);
        }

        public byte[] blob() {
            int length = smallNumber();
            if (length > bytes.remaining()) {
                throw new MalformedException("value ends early");
            }
            byte[] value = new byte[length];
            bytes.get(value);
            return value;
        }

        public String text() {
            return new String(blob(), StandardCharsets.UTF_8);
        }

        byte[] rest() {
            byte[] value = new byte[bytes.remaining()];
            bytes.get(value);
            return value;
        }

        public boolean hasMore() {
            return bytes.hasRemaining();
        }

        private long bits() {
            long value = 0;
            for (int shift = 0; shift < 64; shift += 7) {
                int next = byte1();
                value |= (long) (next & 0x7f) << shift;
                if (next < 0x80) {
                    return value;
                }
            }
            throw new MalformedException("number too long");
        }
    }

    /** Reports malformed stored bytes. */
    public static final class MalformedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public MalformedException(String message) {
            super(message);
        }

        public MalformedException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
