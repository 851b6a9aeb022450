// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.blob.BlobHeader;
import io.packing.blob.Framing;
import io.packing.buffers.Slices;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.function.IntSupplier;
import java.util.zip.CRC32C;

/**
 * The first bytes of a segment's file: a blob's header, and the number of this life of the file. Records of an earlier
 * segment in the file have another life, so a scan stops at them. It also stops at bytes that a user wrote to look like
 * a record, because the life is drawn at random.
 *
 * @param life covered by the checksums of the records' headers; {@link #NO_LIFE} in files of former versions, which
 *     gave each segment a new file
 * @param bytes before the first record
 */
record SegmentStart(int life, int bytes) {
    // The blob's header, then little-endian:  0:4 magic  4:8 life  8:12 zero  12:16 CRC32C of 0:12
    /** The bytes before the first record of a new file. */
    static final int SIZE = Framing.START_BYTES;

    static final int NO_LIFE = 0;

    private static final int MAGIC = 0x4546_494C;
    private static final int CRC_AT = 12;

    /** Returns the start of a new or overwritten file. */
    static SegmentStart random(IntSupplier random) {
        int life = random.getAsInt();
        while (life == NO_LIFE) {
            life = random.getAsInt();
        }
        return new SegmentStart(life, SIZE);
    }

    ByteBuffer encoded() {
        ByteBuffer out = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
        out.put(BlobHeader.bytes());
        ByteBuffer own = out.slice().order(ByteOrder.LITTLE_ENDIAN);
        own.putInt(MAGIC).putInt(life).putInt(0);
        own.putInt(crc(own));
        return out.rewind();
    }

    /** Reads the start of a file that is at least as long as a blob's header. */
    static SegmentStart read(FileChannel channel) throws IOException {
        SegmentStart former = new SegmentStart(NO_LIFE, BlobHeader.SIZE);
        if (channel.size() < SIZE) {
            return former;
        }
        ByteBuffer own = SegmentScan.read(channel, BlobHeader.SIZE, SIZE - BlobHeader.SIZE)
                .order(ByteOrder.LITTLE_ENDIAN);
        boolean sound = own.getInt(0) == MAGIC && own.getInt(CRC_AT) == crc(own);
        return sound ? new SegmentStart(own.getInt(4), SIZE) : former;
    }

    private static int crc(ByteBuffer own) {
        CRC32C crc = new CRC32C();
        crc.update(Slices.of(own, 0, CRC_AT));
        return (int) crc.getValue();
    }
}
