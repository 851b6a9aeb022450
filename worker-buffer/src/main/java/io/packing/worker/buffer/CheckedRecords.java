// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.blob.BlobHeader;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.buffers.Slices;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.CRC32C;

/**
 * The check of a segment's records, in their order, on their way to the store. It notes the place and the checksum of
 * each extent, since the footer may name only extents that were checked. Confined to one thread.
 */
public final class CheckedRecords {
    private final BufferSegment segment;
    private long[] offsets = new long[1_024];
    private int[] lengths = new int[1_024];
    private int[] checksums = new int[1_024];
    private int count;
    private long position;
    private long storedBytes;
    /** The checksum of all bytes of the body that no record's extent has. */
    private final CRC32C heads = new CRC32C();

    public CheckedRecords(BufferSegment segment) {
        this.segment = segment;
    }

    /** Returns the end of the checked bytes. */
    public long position() {
        return position;
    }

    /** Returns the stored bytes of all checked extents. */
    public long storedBytes() {
        return storedBytes;
    }

    /**
     * Checks the whole records in the next bytes of the segment.
     *
     * @param bytes from {@link #position} on
     * @return the length of the checked bytes; 0 if the first record is longer than these bytes
     * @throws CorruptBlobException when a record does not match its checksums
     */
    public int check(ByteBuffer bytes) throws IOException {
        int at = 0;
        if (position == 0) {
            at = start(bytes);
        }
        for (int length = record(bytes, at); length > 0; length = record(bytes, at)) {
            at += length;
        }
        position += at;
        return at;
    }

    private int start(ByteBuffer bytes) throws IOException {
        if (bytes.remaining() < SegmentStart.SIZE) {
            return 0;
        }
        BlobHeader.check(segment.toString(), Slices.of(bytes, bytes.position(), BlobHeader.SIZE));
        heads.update(Slices.of(bytes, bytes.position() + BlobHeader.SIZE, SegmentStart.SIZE - BlobHeader.SIZE));
        return SegmentStart.SIZE;
    }

    /** Checks the record at an offset of the bytes; returns its length, or 0 if the bytes end before it does. */
    private int record(ByteBuffer bytes, int at) throws IOException {
        int from = bytes.position() + at;
        int left = bytes.remaining() - at;
        if (left < SegmentRecord.FIXED) {
            return 0;
        }
        int headerBytes = SegmentRecord.headerBytes(Slices.of(bytes, from, SegmentRecord.FIXED));
        if (headerBytes == 0) {
            throw damaged(at, "has no head");
        }
        if (left < headerBytes) {
            return 0;
        }
        Optional<SegmentRecord> record = SegmentRecord.parse(Slices.of(bytes, from, headerBytes), segment.life());
        if (record.isEmpty()) {
            throw damaged(at, "has a damaged head");
        }
        int stored = record.get().storedLength();
        if (left - headerBytes < stored) {
            return 0;
        }
        Optional<Extent> extent = record.get().extentAt(position + at, headerBytes);
        if (extent.isPresent()) {
            ByteBuffer unused =
                    ExtentCodec.decode(segment.toString(), extent.get(), Slices.of(bytes, from + headerBytes, stored));
            note(extent.get());
        }
        heads.update(Slices.of(bytes, from, headerBytes));
        return headerBytes + stored;
    }

    private CorruptBlobException damaged(int at, String how) {
        return new CorruptBlobException("%s: the record at %d %s".formatted(segment, position + at, how));
    }

    private void note(Extent extent) {
        if (count == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * count);
            lengths = Arrays.copyOf(lengths, 2 * count);
            checksums = Arrays.copyOf(checksums, 2 * count);
        }
        offsets[count] = extent.blobOffset();
        lengths[count] = extent.storedLength();
        checksums[count] = extent.crc32c();
        count++;
        storedBytes += extent.storedLength();
    }

    /** Returns whether exactly this extent was checked. */
    public boolean have(Extent extent) {
        int at = Arrays.binarySearch(offsets, 0, count, extent.blobOffset());
        return at >= 0 && lengths[at] == extent.storedLength() && checksums[at] == extent.crc32c();
    }

    /**
     * Returns the checksum of all bytes that belong to no extent, followed by zeros up to a footer offset; empty if the
     * footer leaves out some extents.
     *
     * @param covered bytes of the extents in the footer
     */
    public OptionalInt gaps(long covered, long footerOffset) {
        if (covered != storedBytes) {
            return OptionalInt.empty();
        }
        byte[] zeros = new byte[8 << 10];
        for (long left = footerOffset - position; left > 0; left -= zeros.length) {
            heads.update(zeros, 0, (int) Math.min(zeros.length, left));
        }
        return OptionalInt.of((int) heads.getValue());
    }
}
