// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** The trace of a newer tracer: an existing file with other ids in its column of calls. */
final class NewerCalls {
    private NewerCalls() {}

    /**
     * Puts ids into the calls of a file of one block.
     *
     * @param ids by the event's number; 0 leaves a call as it is
     */
    static byte[] in(byte[] file, int... ids) throws DataFormatException {
        byte[] head = Arrays.copyOf(file, TraceLayout.HEADER_SIZE + TraceLayout.BLOCK_HEADER_SIZE);
        ByteBuffer fields = TraceLayout.fields(head);
        int block = TraceLayout.HEADER_SIZE;
        byte[] payload = new byte[fields.getInt(block + TraceLayout.INFLATED_AT)];
        Inflater inflater = new Inflater(true);
        inflater.setInput(file, head.length, file.length - head.length);
        if (inflater.inflate(payload) != payload.length) {
            throw new IllegalArgumentException("not a file of one block");
        }
        inflater.end();
        int calls = callsIn(payload);
        for (int i = 0; i < ids.length; i++) {
            payload[calls + i] = ids[i] == 0 ? payload[calls + i] : (byte) ids[i];
        }
        Deflater deflater = new Deflater(4, true);
        deflater.setInput(payload);
        deflater.finish();
        byte[] stored = new byte[payload.length + 100];
        int length = deflater.deflate(stored);
        deflater.end();
        fields.putInt(block + TraceLayout.STORED_AT, length);
        fields.putInt(block + TraceLayout.PAYLOAD_CRC_AT, TraceLayout.crc(stored, 0, length));
        fields.putInt(block + TraceLayout.BLOCK_CRC_AT, TraceLayout.crc(head, block, TraceLayout.BLOCK_CRC_AT));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(head);
        out.write(stored, 0, length);
        return out.toByteArray();
    }

    /** Returns the start of the bytes of the first column; trace-format.md, section 4. */
    private static int callsIn(byte[] payload) {
        Reading in = new Reading(payload);
        in.at += Long.BYTES;
        for (int texts = in.varint(); texts > 0; texts--) {
            int length = in.varint();
            in.at += length;
        }
        for (int origins = in.varint(); origins > 0; origins--) {
            in.varint();
            in.varint();
            in.varint();
            in.at += 2 * Long.BYTES;
        }
        in.varint();
        return in.at;
    }

    private static final class Reading {
        private final byte[] bytes;
        private int at;

        Reading(byte[] bytes) {
            this.bytes = bytes;
        }

        int varint() {
            int value = 0;
            int shift = 0;
            byte next;
            do {
                next = bytes[at++];
                value |= (next & 0x7f) << shift;
                shift += 7;
            } while (next < 0);
            return value;
        }
    }
}
