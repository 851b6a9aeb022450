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
import java.util.concurrent.Semaphore;

/**
 * The writer of one file in slices, which is larger than one extent may be, or than an output's memory. Up to a size the
 * slices stay in memory, as long as the worker has memory for slices left; otherwise they go into segments of the file's
 * own. When the file ends, the open segment gets them all at once, or these segments become blobs. Until then no segment
 * that other files share has a slice of it: that one could be pushed before the file is complete. Confined to one thread.
 */
public final class SliceWriter {
    /** A slice in a segment of the file's own. */
    private record Slice(BufferSegment segment, SegmentRecord record, Extent extent, long at) {}

    /** A slice in memory. */
    private record Held(SegmentRecord record, ByteBuffer stored) {}

    private final Intake intake;
    private final long fileId;
    private final FilePath path;
    private final Codec codec;
    private final long mostHeld;
    private final Semaphore memory;
    private final List<BufferSegment> segments = new ArrayList<>();
    private final List<Slice> slices = new ArrayList<>();
    private final List<Held> held = new ArrayList<>();
    private int heldBytes;
    private long length;
    private long reserved;
    /** True when the buffer has the file, or gave it up. */
    private boolean ended;

    /** Makes a writer that holds no slice in memory. */
    SliceWriter(FileBuffer buffer, long fileId, FilePath path, Codec codec) {
        this(buffer, fileId, path, codec, 0, new Semaphore(0));
    }

    /**
     * Makes a writer.
     *
     * @param mostHeld size of a file up to which its slices may stay in memory
     * @param memory bytes that the slices of all files may take there
     */
    public SliceWriter(FileBuffer buffer, long fileId, FilePath path, Codec codec, long mostHeld, Semaphore memory) {
        this.intake = buffer.intake();
        this.fileId = fileId;
        this.path = path;
        this.codec = codec;
        this.mostHeld = mostHeld;
        this.memory = memory;
    }

    /** Appends the remaining bytes as one slice. */
    public void append(ByteBuffer bytes) throws IOException {
        if (!bytes.hasRemaining()) {
            return;
        }
        ExtentCodec.Stored stored = ExtentCodec.encode(codec, bytes);
        int storedBytes = stored.bytes().remaining();
        intake.space().reserveLarge(storedBytes);
        reserved += storedBytes;
        SegmentRecord record = new SegmentRecord(
                SegmentRecord.Kind.SLICE,
                fileId,
                path,
                new FileAttributes(0, 0, "", "", 0),
                length,
                bytes.remaining(),
                storedBytes,
                stored.codec(),
                ExtentCodec.crc32c(stored.bytes()));
        length += bytes.remaining();
        if (segments.isEmpty() && length <= mostHeld && memory.tryAcquire(storedBytes)) {
            heldBytes += storedBytes;
            held.add(new Held(
                    record,
                    ByteBuffer.allocate(storedBytes)
                            .put(stored.bytes().duplicate())
                            .flip()));
            return;
        }
        spill();
        write(record, stored.bytes());
    }

    /** Writes the slices in memory into a segment of the file's own. */
    private void spill() throws IOException {
        for (Held slice : held) {
            write(slice.record(), slice.stored());
        }
        held.clear();
        memory.release(heldBytes);
        heldBytes = 0;
    }

    private void write(SegmentRecord record, ByteBuffer stored) throws IOException {
        BufferSegment segment = segment();
        ByteBuffer header = record.header(segment.life());
        int headerBytes = header.remaining();
        long at = segment.append(header, stored);
        slices.add(new Slice(segment, record, record.extentAt(at, headerBytes).orElseThrow(), at));
    }

    /**
     * Completes the file in the open segment, and so in a blob with other files: the appender writes the slices there.
     * Their own segments go when it has done so; until then a crash leaves no file.
     *
     * @return the file, whose bytes are as durable as the mount asks when it is {@link BufferedFile#appended}; empty if
     *     the disk has no room for a second copy of slices that are there
     * @throws IllegalStateException when the file has no slice: an empty file is a small one
     */
    public Optional<BufferedFile> share(Appender appender, FileAttributes attributes) throws IOException {
        checkNotEmpty();
        if (held.isEmpty() && !intake.space().hasRoomForCopy(reserved)) {
            return Optional.empty();
        }
        List<PendingFile.Piece> pieces = new ArrayList<>();
        for (Held slice : held) {
            pieces.add(new PendingFile.Piece(slice.record(), room -> slice.stored()));
        }
        for (Slice slice : slices) {
            pieces.add(new PendingFile.Piece(slice.record(), room -> read(slice, room.get())));
        }
        pieces.add(new PendingFile.Piece(last(attributes), room -> ByteBuffer.allocate(0)));
        BufferedFile file = new BufferedFile(fileId, path, attributes);
        int inMemory = heldBytes;
        appender.append(new PendingFile(file, pieces, reserved, Appender.Writer.CLOSES, () -> {
            roll();
            memory.release(inMemory);
        }));
        end();
        return Optional.of(file);
    }

    /** Reads a slice, which the buffer has not checked since it was written. */
    private static ByteBuffer read(Slice slice, ByteBuffer room) throws IOException {
        ByteBuffer bytes = room.clear().limit(slice.record().storedLength());
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
        spill();
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
        if (length == 0) {
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
            memory.release(heldBytes);
            held.clear();
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
