// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.nio.ByteBuffer;
import java.util.Optional;

/** The fixed part of a block; trace-format.md, section 3. */
record BlockHeader(int stored, int inflated, int events, long dropped, int payloadCrc) {
    /** Reads the header in the first {@code length} bytes; empty when they are no valid header. */
    static Optional<BlockHeader> of(byte[] header, int length) {
        ByteBuffer bytes = TraceLayout.fields(header);
        if (length < TraceLayout.BLOCK_HEADER_SIZE
                || bytes.getInt(0) != TraceLayout.BLOCK_MAGIC
                || bytes.getInt(TraceLayout.BLOCK_CRC_AT) != TraceLayout.crc(header, 0, TraceLayout.BLOCK_CRC_AT)) {
            return Optional.empty();
        }
        BlockHeader read = new BlockHeader(
                bytes.getInt(TraceLayout.STORED_AT),
                bytes.getInt(TraceLayout.INFLATED_AT),
                bytes.getInt(TraceLayout.EVENTS_AT),
                bytes.getLong(TraceLayout.DROPPED_AT),
                bytes.getInt(TraceLayout.PAYLOAD_CRC_AT));
        return read.isPossible() ? Optional.of(read) : Optional.empty();
    }

    private boolean isPossible() {
        return stored > 0
                && stored <= TraceLayout.MAX_STORED
                && inflated > 0
                && inflated <= TraceLayout.MAX_INFLATED
                && events >= 0
                && events <= TraceLayout.MAX_EVENTS
                && dropped >= 0;
    }
}
