// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.bdt.Durability;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The appender of files to the open segment: all waiting files share one write and one sync. Files that were written in
 * slices have a queue of their own, so that small files wait for a few megabytes of them at most. One thread steps it.
 */
public final class Appender {
    private static final int BATCH_FILES = 1_024;
    private static final int WRITE_BYTES = 8 << 20;
    /** The bytes of sliced files after which a batch of them takes no more. */
    private static final int SLICED_BYTES = 16 << 20;
    /** Bytes that may wait to be appended, in memory. */
    private static final int QUEUE_BYTES = 64 << 20;

    /** The shortest wait of a step for files, if none are there. */
    private static final long LEAST_WAIT_NANOS = 10_000_000;
    /** The longest wait. */
    private static final long MOST_WAIT_NANOS = 1_000_000_000;

    /** The way in which a writer hands a file over. */
    public enum Writer {
        /** The writer waits for the answer before it does anything else. */
        CLOSES,
        /** The writer goes on with other files meanwhile, within its limit. */
        STREAMS
    }

    private record Placed(BufferedFile file, Optional<Extent> extent, long at, long end) {}

    private final Intake intake;
    private final BufferCheckpoints checkpoints;
    private final RunQueue runQueue;
    private final BatchWait gathering;
    private final WaitingWriters writers = new WaitingWriters();
    private final Consumer<Runnable> together;
    private final BlockingQueue<PendingFile> queue = new ArrayBlockingQueue<>(4 * BATCH_FILES);
    /** The files that were written in slices. */
    private final Queue<PendingFile> sliced = new ConcurrentLinkedQueue<>();

    private final Semaphore room = new Semaphore(QUEUE_BYTES);
    private final ByteBuffer gather = ByteBuffer.allocateDirect(WRITE_BYTES);
    /** The room for one slice on its way to the open segment; made for the first one. */
    private Optional<ByteBuffer> scratch = Optional.empty();

    private Optional<BufferSegment> open = Optional.empty();
    /** The files in the open segment. Confined to the thread that steps. */
    private int records;

    /** True if a step does not wait. */
    private volatile boolean hurried;

    /** The failure after which no thread steps any more. */
    private volatile @Nullable IOException stopped;

    /** Completes the files of a batch one after the other. */
    public Appender(FileBuffer buffer, Scheduling scheduling) {
        this(buffer, Runnable::run, scheduling);
    }

    /** @param together runs the completion of a batch's files */
    public Appender(FileBuffer buffer, Consumer<Runnable> together, Scheduling scheduling) {
        this(buffer, together, new RunQueue(scheduling.proc()), threads -> new BatchWait(scheduling, threads));
    }

    /** @param gathering makes the wait of a batch from the threads that want a processor */
    Appender(
            FileBuffer buffer,
            Consumer<Runnable> together,
            RunQueue runQueue,
            Function<RunQueue, BatchWait> gathering) {
        this.intake = buffer.intake();
        this.checkpoints = buffer.checkpoints();
        this.together = together;
        this.runQueue = runQueue;
        this.gathering = gathering.apply(runQueue);
    }

    /** Hands a whole small file over; {@link BufferedFile#appended} completes when it is durable. May wait for room. */
    public BufferedFile append(
            long fileId, FilePath path, FileAttributes attributes, Codec codec, ByteBuffer bytes, Writer writer)
            throws IOException {
        checkStopped();
        ExtentCodec.Stored stored = ExtentCodec.encode(bytes.hasRemaining() ? codec : Codec.NONE, bytes);
        SegmentRecord record = new SegmentRecord(
                SegmentRecord.Kind.FILE,
                fileId,
                path,
                attributes,
                0,
                bytes.remaining(),
                stored.bytes().remaining(),
                stored.codec(),
                ExtentCodec.crc32c(stored.bytes()));
        intake.space().reserve(stored.bytes().remaining());
        BufferedFile file = new BufferedFile(fileId, path, attributes);
        intake.add(file);
        // Count it before the file can be in a batch, which asks if all writers' files are in it.
        writers.handedOver();
        int bytesTaken = 0;
        try {
            room.acquire(stored.bytes().remaining());
            bytesTaken = stored.bytes().remaining();
            queue.put(PendingFile.small(file, record, stored.bytes(), writer));
            intake.bell().ring();
        } catch (InterruptedException e) {
            writers.answered();
            room.release(bytesTaken);
            intake.drop(file);
            intake.space().release(stored.bytes().remaining());
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while appending " + path);
        }
        IOException why = stopped;
        if (why != null) {
            // The file may have joined the queue after it was emptied.
            failQueue(why);
        }
        return file;
    }

    /**
     * Hands a file over that is on the disk in slices, and has its space in the buffer. {@link BufferedFile#appended}
     * completes when the open segment has all of it.
     */
    void append(PendingFile file) throws IOException {
        checkStopped();
        intake.add(file.file());
        sliced.add(file);
        intake.bell().ring();
        IOException why = stopped;
        if (why != null) {
            failQueue(why);
        }
    }

    private void checkStopped() throws IOException {
        IOException why = stopped;
        if (why != null) {
            throw new IOException(why.getMessage(), why);
        }
    }

    /** Hands over one of many files of a streaming writer. */
    public BufferedFile append(long fileId, FilePath path, FileAttributes attributes, Codec codec, ByteBuffer bytes)
            throws IOException {
        return append(fileId, path, attributes, codec, bytes, Writer.STREAMS);
    }

    /** Notes that a writer has the answer to a file that it handed over. */
    public void answered() {
        writers.answered();
    }

    /** Ends the appender after its last step: fails all files that are not appended. */
    public void close() {
        runQueue.close();
        stop(new IOException("the packing worker is stopping; write the file again"));
    }

    /** Fails all files that are not appended and all later ones, since no thread steps any more. */
    public void stop(IOException why) {
        stopped = why;
        failQueue(why);
    }

    private void failQueue(IOException cause) {
        List<PendingFile> left = new ArrayList<>();
        queue.drainTo(left);
        left.forEach(pending -> {
            fail(pending, cause);
            room.release((int) pending.storedBytes());
        });
        for (PendingFile pending = sliced.poll(); pending != null; pending = sliced.poll()) {
            fail(pending, cause);
            pending.release().run();
        }
    }

    /** Appends one batch, or waits a moment for one; rolls the segment when it is due. */
    public void step() throws IOException, InterruptedException {
        long rest =
                Math.min(checkpoints.restNanos(), open.map(intake::restNanos).orElse(MOST_WAIT_NANOS));
        stepWithin(Math.max(LEAST_WAIT_NANOS, Math.min(MOST_WAIT_NANOS, rest)));
    }

    /** Appends one batch; waits for it at most so long. */
    public void step(long mostMillis) throws IOException, InterruptedException {
        stepWithin(TimeUnit.MILLISECONDS.toNanos(mostMillis));
    }

    private void stepWithin(long mostNanos) throws IOException, InterruptedException {
        PendingFile first = queue.poll();
        if (first == null && sliced.isEmpty() && mostNanos > 0 && !hurried) {
            intake.bell().await(mostNanos);
            first = queue.poll();
        }
        if (first != null) {
            appendSmall(first);
        }
        appendSliced();
        if (open.isEmpty()) {
            intake.nothingToRoll();
        } else {
            intake.rollNow(open.get(), records).ifPresent(this::roll);
        }
        checkpoints.takeInTime();
    }

    private void appendSmall(PendingFile first) {
        List<PendingFile> batch = new ArrayList<>();
        batch.add(first);
        queue.drainTo(batch, BATCH_FILES - 1);
        try {
            append(batch, () -> {
                writers.look();
                gathering.gather(new Gathered(batch));
            });
        } finally {
            room.release(
                    (int) batch.stream().mapToLong(PendingFile::storedBytes).sum());
        }
    }

    /** Appends the first sliced files, in a batch of their own: an unreadable slice fails no small file. */
    private void appendSliced() {
        List<PendingFile> batch = new ArrayList<>();
        long bytes = 0;
        for (PendingFile next = sliced.poll(); next != null; ) {
            bytes += next.storedBytes();
            batch.add(next);
            next = bytes < SLICED_BYTES ? sliced.poll() : null;
        }
        if (!batch.isEmpty()) {
            try {
                append(batch, () -> {});
            } finally {
                batch.forEach(pending -> pending.release().run());
            }
        }
    }

    private void append(List<PendingFile> batch, Runnable gather) {
        try {
            gather.run();
            write(batch);
        } catch (IOException e) {
            batch.forEach(pending -> fail(pending, e));
            roll(SealCause.SIZE);
        } catch (RuntimeException | Error e) {
            // Only this step still knows the files of this batch, so it has to fail them.
            IOException cause = new IOException("the files could not be appended: " + e, e);
            batch.forEach(pending -> fail(pending, cause));
            roll(SealCause.SIZE);
            throw e;
        }
    }

    /** Stops steps from waiting for files. */
    public void hurry() {
        hurried = true;
        intake.bell().ring();
    }

    /** The files of a batch while it waits for more. */
    private final class Gathered implements BatchWait.WaitingBatch {
        private final List<PendingFile> files;

        private Gathered(List<PendingFile> files) {
            this.files = files;
        }

        @Override
        public int take() {
            return queue.drainTo(files, BATCH_FILES - files.size());
        }

        @Override
        public boolean isFull() {
            return files.size() >= BATCH_FILES || waitingBytes() >= WRITE_BYTES;
        }

        @Override
        public boolean hasClosed() {
            return files.stream().anyMatch(pending -> pending.writer() == Writer.CLOSES);
        }

        @Override
        public boolean hasAll() {
            // Writers that wait for an upload say little of the number of files to come.
            return queue.isEmpty() && intake.limits().durability() != Durability.UPLOADED && writers.areAll();
        }
    }

    /** Returns the bytes that wait to be appended, with those of the batch in the making. */
    private int waitingBytes() {
        return QUEUE_BYTES - room.availablePermits();
    }

    private void fail(PendingFile pending, IOException cause) {
        if (pending.file().appended().completeExceptionally(cause)) {
            intake.space().release(pending.storedBytes());
        }
    }

    private void write(List<PendingFile> batch) throws IOException {
        List<Placed> placed = new ArrayList<>();
        for (PendingFile pending : batch) {
            BufferSegment segment = segment();
            List<ByteBuffer> headers = pending.headers(segment.life());
            long headerBytes = headers.stream().mapToLong(ByteBuffer::remaining).sum();
            if (!segment.takes(headerBytes + pending.storedBytes())) {
                complete(segment, placed);
                roll(SealCause.SIZE);
                segment = segment();
                headers = pending.headers(segment.life());
            }
            write(pending, headers, segment, placed);
            if (segment.isFull(intake.limits().blobMaxBytes())) {
                complete(segment, placed);
                roll(SealCause.SIZE);
            }
        }
        if (open.isPresent()) {
            complete(open.get(), placed);
        }
    }

    private void write(PendingFile pending, List<ByteBuffer> headers, BufferSegment segment, List<Placed> placed)
            throws IOException {
        for (int i = 0; i < headers.size(); i++) {
            PendingFile.Piece piece = pending.pieces().get(i);
            ByteBuffer header = headers.get(i);
            long at = segment.append(header, piece.source().read(this::scratch));
            Optional<Extent> extent = piece.record().extentAt(at, header.remaining());
            placed.add(new Placed(pending.file(), extent, at, segment.position()));
        }
    }

    /** Returns the room for a slice on the disk. */
    private ByteBuffer scratch() {
        if (scratch.isEmpty()) {
            scratch = Optional.of(ByteBuffer.allocateDirect(Extent.MAX_LENGTH));
        }
        return scratch.get();
    }

    private void complete(BufferSegment segment, List<Placed> placed) throws IOException {
        segment.commit(intake.limits().durability() != Durability.BUFFERED);
        records += placed.size();
        placed.forEach(file -> intake.placed(file.file(), segment, file.extent(), file.at(), file.end()));
        try {
            together.accept(() -> placed.forEach(file -> file.file().appended().complete(null)));
        } finally {
            // The bytes are in place, even if a writer's completion failed.
            placed.forEach(file -> file.file().appended().complete(null));
            placed.clear();
        }
    }

    private BufferSegment segment() throws IOException {
        if (open.isEmpty()) {
            open = Optional.of(intake.newSegment(gather));
            intake.opened(open.get());
            records = 0;
        }
        return open.get();
    }

    private void roll(SealCause why) {
        open.ifPresent(segment -> {
            segment.discard();
            intake.rolledOpen(segment, why);
        });
        open = Optional.empty();
    }
}
