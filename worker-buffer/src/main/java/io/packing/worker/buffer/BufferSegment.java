// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.blob.BlobFill;
import io.packing.blob.BlobHeader;
import io.packing.blob.Extent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * An append-only sequence of records, in a file that starts with a blob header or in a store. One thread appends; any
 * thread reads committed records.
 */
public final class BufferSegment {
    private final long number;
    private final String name;
    private final SegmentBytes bytes;
    private final boolean dedicated;
    private final int life;
    private final long openedNanos;
    private volatile long position;
    private long committed;
    /** The stored bytes of files, in all records and in committed ones. */
    private long fileBytes;

    private long committedFileBytes;

    private final SegmentUse use;
    private final SegmentProgress progress = new SegmentProgress();

    private BufferSegment(
            long number,
            String name,
            SegmentBytes bytes,
            boolean dedicated,
            int life,
            long openedNanos,
            long position,
            SegmentUse use) {
        this.number = number;
        this.name = name;
        this.bytes = bytes;
        this.dedicated = dedicated;
        this.life = life;
        this.openedNanos = openedNanos;
        this.position = position;
        this.committed = position;
        this.use = use;
    }

    static BufferSegment create(
            long number, Path path, SegmentFiles files, boolean dedicated, long nowNanos, Optional<ByteBuffer> gather)
            throws IOException {
        SegmentStart start = files.newStart();
        FileSegmentBytes bytes = new FileSegmentBytes(path, files.open(path), files, gather, false);
        BufferSegment segment = new BufferSegment(
                number, path.toString(), bytes, dedicated, start.life(), nowNanos, 0, new SegmentUse());
        segment.append(start.encoded(), ByteBuffer.allocate(0));
        // Commit it at once: until then a scan would take the records of an older segment in this file for its own.
        segment.commit(false);
        return segment;
    }

    /** Creates a segment of values; its positions start where those of a file would. */
    static BufferSegment create(long number, ValueStore values, long nowNanos) throws IOException {
        return new BufferSegment(
                number,
                "values of segment " + number,
                values.create(number),
                false,
                SegmentStart.NO_LIFE,
                nowNanos,
                BlobHeader.SIZE,
                new SegmentUse());
    }

    /** Opens a segment of an earlier process, and cuts off the bytes behind its last whole record. */
    static BufferSegment reopen(
            long number, Path path, SegmentFiles files, boolean dedicated, long nowNanos, long length)
            throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        channel.truncate(length);
        FileSegmentBytes bytes = new FileSegmentBytes(path, channel, files, Optional.empty(), true);
        // The process before may have been killed before it forced its last records. This one tells the master of the
        // files that it finds, so no loss of power may take them.
        bytes.commit(true);
        // A reopened segment takes no more records.
        int life = SegmentStart.NO_LIFE;
        return new BufferSegment(
                number, path.toString(), bytes, dedicated, life, nowNanos, length, SegmentUse.ofEarlierProcess());
    }

    static BufferSegment reopen(long number, ValueStore values, long nowNanos, long length) {
        return new BufferSegment(
                number,
                "values of segment " + number,
                values.reopen(number),
                false,
                SegmentStart.NO_LIFE,
                nowNanos,
                length,
                SegmentUse.ofEarlierProcess());
    }

    long number() {
        return number;
    }

    /** Returns its growth, for threads that send it meanwhile. */
    SegmentProgress progress() {
        return progress;
    }

    /** Returns whether so many bytes more are within the limit of its growth; for the thread that appends. */
    boolean takes(long bytes) {
        return progress.isWithin(position + bytes);
    }

    /** Returns the uses that still need the segment. */
    SegmentUse use() {
        return use;
    }

    /** Returns the file that becomes a blob with a footer, if the segment is a file. */
    public Optional<SegmentFile> file() {
        return bytes.file();
    }

    /** Reads the stored bytes of an extent; for threads that are never interrupted during a read. */
    public ByteBuffer read(Extent extent) throws IOException {
        return bytes.read(extent.blobOffset(), extent.storedLength());
    }

    /** Reads the stored bytes of an extent, or of neighbours and the bytes between them if the segment is a file. */
    public void read(long at, ByteBuffer into) throws IOException {
        bytes.read(at, into);
    }

    /**
     * Reads like {@link #read(Extent)} for any thread.
     *
     * @throws java.nio.file.NoSuchFileException when the segment is gone
     */
    public ByteBuffer readAlone(Extent extent) throws IOException {
        return bytes.readAlone(extent.blobOffset(), extent.storedLength());
    }

    /** Returns the reason why it takes no more records. */
    public SealCause cause() {
        return use.cause();
    }

    /** Returns whether one large file has all its bytes. */
    public boolean dedicated() {
        return dedicated;
    }

    /** Returns the number that the checksums of its records' headers cover. */
    int life() {
        return life;
    }

    long openedNanos() {
        return openedNanos;
    }

    /** Returns the bytes of its header and records; a footer may follow. */
    public long position() {
        return position;
    }

    /** Adds a record; returns its start. */
    long append(ByteBuffer header, ByteBuffer stored) throws IOException {
        long at = position;
        bytes.write(at, header, stored);
        position = at + header.remaining() + stored.remaining();
        fileBytes += stored.remaining();
        return at;
    }

    void commit(boolean sync) throws IOException {
        bytes.commit(sync);
        committed = position;
        committedFileBytes = fileBytes;
        progress.committed(committed, committedFileBytes);
    }

    /** Gives up the uncommitted records. */
    void discard() {
        bytes.discard();
        position = committed;
        fileBytes = committedFileBytes;
    }

    /** Returns whether the segment takes no more records, for a blob of so many bytes; for the thread that appends. */
    boolean isFull(long blobMaxBytes) {
        return BlobFill.isFull((double) fileBytes, (double) position, blobMaxBytes);
    }

    void close() throws IOException {
        bytes.close();
    }

    void delete() throws IOException {
        bytes.delete();
    }

    @Override
    public String toString() {
        return name;
    }
}
