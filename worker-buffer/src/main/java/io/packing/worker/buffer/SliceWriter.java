// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.bdt.Durability;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The writer of one large file, as slices into segments of its own. Confined to one thread. */
public final class SliceWriter {
    private record Slice(BufferSegment segment, Extent extent, long at) {}

    private final Intake intake;
    private final long fileId;
    private final FilePath path;
    private final Codec codec;
    private final List<BufferSegment> segments = new ArrayList<>();
    private final List<Slice> slices = new ArrayList<>();
    private long length;
    private long reserved;

    public SliceWriter(FileBuffer buffer, long fileId, FilePath path, Codec codec) {
        this.intake = buffer.intake();
        this.fileId = fileId;
        this.path = path;
        this.codec = codec;
    }

    /** Appends the remaining bytes as one slice. */
    public void append(ByteBuffer bytes) throws IOException {
        if (!bytes.hasRemaining()) {
            return;
        }
        ExtentCodec.Stored stored = ExtentCodec.encode(codec, bytes);
        intake.space().reserveLarge(stored.bytes().remaining());
        reserved += stored.bytes().remaining();
        SegmentRecord record = new SegmentRecord(
                SegmentRecord.Kind.SLICE,
                fileId,
                path,
                new FileAttributes(0, 0, "", "", 0),
                length,
                bytes.remaining(),
                stored.bytes().remaining(),
                stored.codec(),
                ExtentCodec.crc32c(stored.bytes()));
        BufferSegment segment = segment();
        ByteBuffer header = record.header(segment.life());
        int headerBytes = header.remaining();
        long at = segment.append(header, stored.bytes());
        slices.add(new Slice(segment, record.extentAt(at, headerBytes).orElseThrow(), at));
        length += bytes.remaining();
    }

    /**
     * Completes the file: its bytes are as durable as the mount asks when this returns.
     *
     * @throws IllegalStateException when the file has no slice: an empty file is a small one
     */
    public BufferedFile finish(FileAttributes attributes) throws IOException {
        if (segments.isEmpty()) {
            throw new IllegalStateException("%s has no slice".formatted(path));
        }
        SegmentRecord end =
                new SegmentRecord(SegmentRecord.Kind.END, fileId, path, attributes, length, 0, 0, Codec.NONE, 0);
        // The end never goes into a new segment, which the buffer would delete as empty.
        BufferSegment last = segments.get(segments.size() - 1);
        long endAt = last.append(end.header(last.life()), ByteBuffer.allocate(0));
        for (BufferSegment segment : segments) {
            segment.commit(intake.limits().durability() != Durability.BUFFERED);
        }
        BufferedFile file = new BufferedFile(fileId, path, attributes);
        intake.add(file);
        for (Slice slice : slices) {
            Extent extent = slice.extent();
            intake.placed(file, slice.segment(), Optional.of(extent), slice.at(), extent.blobEnd());
        }
        intake.placed(file, last, Optional.empty(), endAt, last.position());
        segments.forEach(segment -> intake.rolled(segment, SealCause.LARGE));
        intake.space().largeEnded(reserved);
        file.appended().complete(null);
        return file;
    }

    /** Gives up the written slices. */
    public void abort() {
        segments.forEach(segment -> intake.rolled(segment, SealCause.LARGE));
        intake.space().largeEnded(reserved);
        intake.space().release(reserved);
    }

    private BufferSegment segment() throws IOException {
        if (segments.isEmpty()
                || segments.get(segments.size() - 1).position()
                        >= intake.limits().blobMaxBytes()) {
            segments.add(intake.newLargeSegment());
        }
        return segments.get(segments.size() - 1);
    }
}
