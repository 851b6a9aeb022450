// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** A reader of the bytes of {@link ColumnOutput}, which never reads beyond their end. Confined to one thread. */
final class ColumnInput {
    private static final int VARINT_BITS = 64;

    private final byte[] bytes;
    private int at;
    private final int end;

    ColumnInput(byte[] bytes, int from, int length) {
        this.bytes = bytes;
        this.at = from;
        this.end = from + length;
    }

    boolean isEmpty() {
        return at == end;
    }

    int remaining() {
        return end - at;
    }

    int byte1() throws CorruptTraceException {
        need(1);
        return bytes[at++] & 0xff;
    }

    long varint() throws CorruptTraceException {
        // Most numbers of a trace are one byte.
        if (at < end && bytes[at] >= 0) {
            return bytes[at++];
        }
        long value = 0;
        for (int shift = 0; shift < VARINT_BITS; shift += 7) {
            int next = byte1();
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new CorruptTraceException("a number of more than 64 bits");
    }

    long zigzag() throws CorruptTraceException {
        return unzigzag(varint());
    }

    static long unzigzag(long value) {
        return (value >>> 1) ^ -(value & 1);
    }

    /** Returns a number from 0 to {@code most}. */
    int count(int most) throws CorruptTraceException {
        long value = varint();
        if (value < 0 || value > most) {
            throw new CorruptTraceException(
                    "%s where at most %d are possible".formatted(Long.toUnsignedString(value), most));
        }
        return (int) value;
    }

    String text(int mostBytes) throws CorruptTraceException {
        int length = count(mostBytes);
        need(length);
        if (length == 0) {
            return "";
        }
        try {
            CharBuffer text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes, at, length));
            at += length;
            return text.toString();
        } catch (CharacterCodingException e) {
            throw new CorruptTraceException("a text that is not UTF-8", e);
        }
    }

    long fixed8() throws CorruptTraceException {
        need(Long.BYTES);
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value |= (long) (bytes[at++] & 0xff) << (8 * i);
        }
        return value;
    }

    /** Returns a view of the next column. */
    ColumnInput column() throws CorruptTraceException {
        int length = count(end - at);
        ColumnInput view = new ColumnInput(bytes, at, length);
        at += length;
        return view;
    }

    private void need(int count) throws CorruptTraceException {
        if (count > end - at) {
            throw new CorruptTraceException("%d bytes are missing".formatted(count - (end - at)));
        }
    }
}
