// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.blob.BlobHeader;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A scan of the records in a segment of an earlier process, up to a torn tail, a footer or records of an older segment.
 */
final class SegmentScan {
    /** A record with its start and the length of its header. */
    record Found(SegmentRecord record, long at, int headerBytes) {}

    final List<Found> records = new ArrayList<>();
    private int life = SegmentStart.NO_LIFE;
    /** The end of the last whole record. */
    long end = BlobHeader.SIZE;

    /** Scans from a position between two records; 0 for the first. */
    static SegmentScan of(Path path, long from) throws IOException {
        SegmentScan scan = new SegmentScan();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            long size = channel.size();
            if (size < BlobHeader.SIZE) {
                scan.end = 0;
                return scan;
            }
            SegmentStart start = SegmentStart.read(channel);
            scan.life = start.life();
            scan.end = Math.max(start.bytes(), from);
            while (scan.next(channel, size)) {
                // Each call reads one record.
            }
        }
        return scan;
    }

    private boolean next(FileChannel channel, long size) throws IOException {
        if (end + SegmentRecord.FIXED > size) {
            return false;
        }
        int headerBytes = SegmentRecord.headerBytes(read(channel, end, SegmentRecord.FIXED));
        if (headerBytes == 0 || end + headerBytes > size) {
            return false;
        }
        Optional<SegmentRecord> record = SegmentRecord.parse(read(channel, end, headerBytes), life);
        if (record.isEmpty()) {
            return false;
        }
        long next = end + headerBytes + record.get().storedLength();
        if (record.get().storedLength() < 0 || next > size) {
            return false;
        }
        // Without a sync the header may have reached the disk and the bytes not. A reader's checksum would find that,
        // but the worker must not make a blob of it.
        Optional<Extent> extent = record.get().extentAt(end, headerBytes);
        if (extent.isPresent()
                && ExtentCodec.crc32c(
                                read(channel, end + headerBytes, record.get().storedLength()))
                        != record.get().crc32c()) {
            return false;
        }
        records.add(new Found(record.get(), end, headerBytes));
        end = next;
        return true;
    }

    static ByteBuffer read(FileChannel channel, long at, int length) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(length);
        while (into.hasRemaining()) {
            if (channel.read(into, at + into.position()) < 0) {
                throw new EOFException("the segment ends %d bytes early".formatted(into.remaining()));
            }
        }
        return into.flip();
    }
}
