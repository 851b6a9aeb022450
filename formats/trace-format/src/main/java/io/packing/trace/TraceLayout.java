// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** The places of the fixed fields of a trace file; trace-format.md, sections 2 and 3. All numbers are little-endian. */
final class TraceLayout {
    // File header, 24 bytes
    //   0:8 magic   8:12 version   12:16 nanoseconds per tick   16:20 zero   20:24 CRC32C of 0:20
    static final int HEADER_SIZE = 24;
    static final long HEADER_MAGIC = 0x0045434152544648L; // "HFTRACE\0"
    static final int VERSION_AT = 8;
    static final int TICK_AT = 12;
    static final int HEADER_CRC_AT = 20;
    static final int VERSION_1 = 1;
    static final int VERSION_2 = 2;
    static final int MAX_TICK_NANOS = 1_000_000_000;

    // Block header, 32 bytes, followed by the deflated payload
    //   0:4 magic   4:8 payload length   8:12 inflated length   12:16 events   16:24 events dropped before
    //   24:28 CRC32C of the payload   28:32 CRC32C of 0:28
    static final int BLOCK_HEADER_SIZE = 32;
    static final int BLOCK_MAGIC = 0x4B4C4254; // "TBLK"
    static final int STORED_AT = 4;
    static final int INFLATED_AT = 8;
    static final int EVENTS_AT = 12;
    static final int DROPPED_AT = 16;
    static final int PAYLOAD_CRC_AT = 24;
    static final int BLOCK_CRC_AT = 28;

    static final int MAX_INFLATED = 32 << 20;
    static final int MAX_STORED = MAX_INFLATED + (MAX_INFLATED >> 8) + 64;
    static final int MAX_EVENTS = 1 << 18;
    static final int MAX_TEXT = 64 << 10;
    /** The most texts of a block. A reader holds them all, and short ones take more memory than bytes. */
    static final int MAX_TEXTS = 1 << 20;

    /** The length of the shortest origin: two numbers of texts, a process id, two anchors. */
    static final int LEAST_ORIGIN = 3 + 2 * Long.BYTES;

    private TraceLayout() {}

    /** Returns the fields of an array. */
    static ByteBuffer fields(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    static int crc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }
}
