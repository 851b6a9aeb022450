// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.bdt.Durability;
import io.packing.blob.Codec;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The writer of one file that is too large for memory, as slices into segments of its own. They become blobs of the
 * file, or they are copied to the open segment at its end. Until then no other file's segment has a slice of it: that
 * one could be pushed before the file is complete. Confined to one thread.
 */
public final class SliceWriter {
    private record Slice(BufferSegment segment, SegmentRecord record, Extent extent, long at) {}

    private final Intake intake;
    private final long fileId;
    private final FilePath path;
    private final Codec codec;
    private final List<BufferSegment> segments = new ArrayList<>();
    private final List<Slice> slices = new ArrayList<>();
    private long length;
    private long reserved;
    /** True when the buffer has the file, or gave it up. */
    private boolean ended;

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
        slices.add(new Slice(segment, record, record.extentAt(at, headerBytes).orElseThrow(), at));
        length += bytes.remaining();
    }

    /**
     * Completes the file in the open segment, and so in a blob with other files: the appender copies the slices there.
     * Their own segments go when it has done so; until then a crash leaves no file.
     *
     * @return the file, whose bytes are as durable as the mount asks when it is {@link BufferedFile#appended}; empty if
     *     the disk has no room for the copy
     * @throws IllegalStateException when the file has no slice: an empty file is a small one
     */
    public Optional<BufferedFile> share(Appender appender, FileAttributes attributes) throws IOException {
        checkNotEmpty();
        if (!intake.space().hasRoomForCopy(reserved)) {
            return Optional.empty();
        }
        List<PendingFile.Piece> pieces = new ArrayList<>();
        for (Slice slice : slices) {
            pieces.add(new PendingFile.Piece(slice.record(), scratch -> read(slice, scratch)));
        }
        pieces.add(new PendingFile.Piece(last(attributes), scratch -> ByteBuffer.allocate(0)));
        BufferedFile file = new BufferedFile(fileId, path, attributes);
        appender.append(new PendingFile(file, pieces, reserved, Appender.Writer.CLOSES, this::roll));
        end();
        return Optional.of(file);
    }

    /** Reads a slice, which the buffer has not checked since it was written. */
    private static ByteBuffer read(Slice slice, ByteBuffer scratch) throws IOException {
        ByteBuffer bytes = scratch.clear().limit(slice.record().storedLength());
        slice.segment().read(slice.extent().blobOffset(), bytes);
        if (ExtentCodec.crc32c(bytes.flip()) != slice.record().crc32c()) {
            throw new CorruptBlobException(
                    "%s: the slice at %d is damaged: write the file again; the disk may be failing"
                            .formatted(slice.segment(), slice.at()));
        }
        return bytes;
    }

    /**
     * Completes the file in segments of its own: its bytes are as durable as the mount asks when this returns.
     *
     * @throws IllegalStateException when the file has no slice: an empty file is a small one
     */
    public BufferedFile finish(FileAttributes attributes) throws IOException {
        checkNotEmpty();
        // The end never goes into a new segment, which the buffer would delete as empty.
        BufferSegment last = segments.get(segments.size() - 1);
        long endAt = last.append(last(attributes).header(last.life()), ByteBuffer.allocate(0));
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
        roll();
        end();
        file.appended().complete(null);
        return file;
    }

    private void checkNotEmpty() {
        if (segments.isEmpty()) {
            throw new IllegalStateException("%s has no slice".formatted(path));
        }
    }

    private SegmentRecord last(FileAttributes attributes) {
        return new SegmentRecord(SegmentRecord.Kind.END, fileId, path, attributes, length, 0, 0, Codec.NONE, 0);
    }

    /** Ends its segments; those that no file needs go. */
    private void roll() {
        segments.forEach(segment -> intake.rolled(segment, SealCause.LARGE));
    }

    private void end() {
        ended = true;
        intake.space().largeEnded(reserved);
    }

    /** Gives up the written slices, unless the file is complete. */
    public void abort() {
        if (!ended) {
            roll();
            end();
            intake.space().release(reserved);
        }
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
