package io.packing.worker.buffer;

import io.packing.bdt.CommittedFile;
import io.packing.blob.Extent;
import io.packing.sorted.Boot;
import io.packing.sorted.DurableDirectory;
import io.packing.sorted.SortedStore;
import io.packing.worker.api.BufferValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * All files that a mount's worker holds, and the segments their bytes are in. Memory holds the files that something is
 * being done with and counts for each segment; what waits to be packed is in the {@link BufferIndex} only. Thread-safe:
 * one lock guards the states; bytes are written by the {@link Appender} and read without the lock.
 */
public final class FileBuffer implements AutoCloseable {
    /**
     * What a buffer stands on.
     *
     * @param index where it notes what is where; may be lost
     * @param values where small files are, or were before they went into files again
     * @param place where new ones go
     */
    public record Stores(SortedStore index, Optional<SortedStore> values, BufferValues place) {
        public Stores {
            if (place == BufferValues.STORE && values.isEmpty()) {
                throw new IllegalArgumentException("no store for the values");
            }
        }

        /** What must stay free on the disk, so that every store takes writes. */
        long keptFreeBytes() {
            return Math.max(
                    index.keptFreeBytes(),
                    values.map(SortedStore::keptFreeBytes).orElse(0L));
        }
    }

    /** Committed files that are forgotten under one lock. */
    private static final int FORGET_AT_ONCE = 1_000;

    private final Path directory;
    private final BufferLimits limits;
    private final LongSupplier nanoTime;
    private final BufferIndex index;
    private final SegmentFiles segmentFiles;
    private final BufferSpace space;
    private final Sealing sealing;
    private final Optional<ValueStore> values;
    private final BufferSegments segments;
    private final Map<Long, BufferedFile> active = new HashMap<>();
    private final UploadWaiters uploads = new UploadWaiters(this);
    private final Selection selection;
    private final BufferReclaims reclaims;
    private final BufferCheckpoints checkpoints;
    private long files;
    private long scannedBytes;

    private FileBuffer(
            Path directory,
            BufferLimits limits,
            Stores stores,
            Optional<ValueStore> values,
            BufferSpace.FreeSpace free,
            LongSupplier nanoTime) {
        this.directory = directory;
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.index = new BufferIndex(stores.index());
        this.values = values;
        this.segmentFiles = new SegmentFiles(directory, free, nanoTime);
        this.segments = new BufferSegments(directory, index, segmentFiles, values, stores.place(), nanoTime);
        this.selection = new Selection(this, index, segments, active);
        this.reclaims = new BufferReclaims(this, index, active);
        this.checkpoints = new BufferCheckpoints(this, index, segments, segmentFiles, values, nanoTime);
        this.sealing = new Sealing(limits, nanoTime);
        this.space = new BufferSpace(
                directory,
                limits.maxBytes(),
                limits.fullTimeout(),
                segmentFiles::usableBytes,
                nanoTime,
                sealing::press);
    }

    /** Opens the buffer, with every complete file that an earlier process left in it. */
    public static FileBuffer open(Path directory, BufferLimits limits, SortedStore index, LongSupplier nanoTime)
            throws IOException {
        return open(directory, limits, new Stores(index, Optional.empty(), BufferValues.SEGMENT), nanoTime);
    }

    /** The same, with values that are in a store or were. */
    public static FileBuffer open(Path directory, BufferLimits limits, Stores stores, LongSupplier nanoTime)
            throws IOException {
        // The stores come first: on a disk that is full of files, nothing but their rows lets the buffer forget any.
        return open(
                directory,
                limits,
                stores,
                () -> Files.getFileStore(directory).getUsableSpace() - stores.keptFreeBytes(),
                nanoTime,
                Boot.id());
    }

    static FileBuffer open(
            Path directory,
            BufferLimits limits,
            Stores stores,
            BufferSpace.FreeSpace free,
            LongSupplier nanoTime,
            String bootId)
            throws IOException {
        DurableDirectory.create(directory);
        Optional<ValueStore> values = stores.values().isPresent()
                ? Optional.of(ValueStore.open(stores.values().get()))
                : Optional.empty();
        FileBuffer buffer = new FileBuffer(directory, limits, stores, values, free, nanoTime);
        buffer.recover(bootId);
        return buffer;
    }

    private synchronized void recover(String bootId) throws IOException {
        BufferRecovery recovery = new BufferRecovery(directory, index, segmentFiles, values, nanoTime.getAsLong());
        recovery.run(bootId);
        scannedBytes = recovery.scannedBytes;
        segments.recovered(recovery);
        try (BufferIndex.Rows rows = index.rows(0, Long.MAX_VALUE)) {
            for (Optional<FileRow> row = rows.next(); row.isPresent(); row = rows.next()) {
                BufferedFile file = inMemory(row.get());
                for (BufferSegment segment : file.segments) {
                    segment.add(BufferedFile.State.LIVE, 1);
                    segment.indexed(file.id());
                }
                keepIfLarge(file);
                files++;
                space.recovered(file.storedBytes());
            }
        }
        List.copyOf(segments.all()).forEach(segments::dropIfEmpty);
    }

    /** A file that waits to be packed, as its row says. */
    BufferedFile inMemory(FileRow row) {
        BufferedFile file = new BufferedFile(row.id(), row.path(), row.attributes());
        file.generation = row.generation();
        file.state = BufferedFile.State.LIVE;
        file.appended.complete(null);
        row.parts().forEach(part -> {
            BufferSegment segment = segments.get(part.segment());
            file.parts.add(new BufferedFile.Part(segment, part.extent()));
            file.add(segment);
        });
        file.add(segments.get(row.segment()));
        return file;
    }

    /** Large files are few, and their parts are pushed one by one: they stay in memory. */
    private void keepIfLarge(BufferedFile file) {
        if (file.large()) {
            active.put(file.id(), file);
            file.segments.forEach(segment -> segment.large.add(file));
        }
    }

    /** Writers that wait for their files to be committed. */
    public UploadWaiters uploads() {
        return uploads;
    }

    BufferLimits limits() {
        return limits;
    }

    BufferIndex index() {
        return index;
    }

    BufferSpace space() {
        return space;
    }

    /** A segment for small files, whose records are gathered in the given buffer. */
    synchronized BufferSegment newSegment(ByteBuffer gather) throws IOException {
        return segments.create(gather);
    }

    /** A segment for one large file, always a file of its own. */
    synchronized BufferSegment newLargeSegment() throws IOException {
        return segments.createLarge();
    }

    /** Makes a file known; its claim is under way until it is granted, dropped or doubted. */
    synchronized void add(BufferedFile file) {
        file.claiming = true;
        active.put(file.id(), file);
        files++;
    }

    /** It is not known whether the claim was granted: the next heartbeat asks the master. */
    public synchronized void doubt(BufferedFile file) {
        file.claiming = false;
    }

    /** A record from {@code at} to {@code end} is appended; the extent is in it, if it has bytes. */
    synchronized void placed(BufferedFile file, BufferSegment segment, Optional<Extent> extent, long at, long end) {
        sealing.placed();
        segment.placedEnd = end;
        segment.records++;
        segments.moved(segment);
        if (file.state == BufferedFile.State.GONE) {
            // Dropped before its bytes were placed: their room is given back only now.
            space.release(extent.map(Extent::storedLength).orElse(0));
            return;
        }
        extent.ifPresent(bytes -> file.parts.add(new BufferedFile.Part(segment, bytes)));
        if (file.add(segment)) {
            segment.add(file.state, 1);
            segment.pending.put(file.id(), at);
        }
    }

    synchronized void rolled(BufferSegment segment) {
        segment.rolled = true;
        segments.dropIfEmpty(segment);
        selection.changed();
    }

    /** The claim was granted: the file may be packed from now on. */
    public synchronized void granted(BufferedFile file, long generation) {
        boolean news = file.generation != generation;
        file.generation = generation;
        file.claiming = false;
        if (file.state == BufferedFile.State.PENDING) {
            known(file);
            file.move(BufferedFile.State.LIVE);
            active.remove(file.id());
            keepIfLarge(file);
        } else if (news && file.state != BufferedFile.State.GONE) {
            index.put(FileRow.of(file));
        }
    }

    private void known(BufferedFile file) {
        index.put(FileRow.of(file));
        for (BufferSegment segment : file.segments) {
            segment.indexed(file.id());
            settled(file, segment);
        }
    }

    private void settled(BufferedFile file, BufferSegment segment) {
        if (segment.pending.remove(file.id()) != null) {
            segments.moved(segment);
            if (segment.rolled && segment.pending.isEmpty()) {
                // Only now it can be packed.
                selection.changed();
            }
        }
    }

    public synchronized Optional<BufferedFile> find(long fileId) throws IOException {
        BufferedFile file = active.get(fileId);
        return file != null ? Optional.of(file) : index.get(fileId).map(this::inMemory);
    }

    /** Where the bytes of a file are; empty when it is gone. */
    public synchronized Optional<List<BufferedFile.Part>> parts(BufferedFile file) {
        return file.state == BufferedFile.State.GONE ? Optional.empty() : Optional.of(List.copyOf(file.parts));
    }

    /** A file in memory is not needed: refused, or its bytes could not be written. */
    public synchronized void drop(BufferedFile file) {
        if (active.get(file.id()) == file) {
            remove(file);
        }
    }

    /** A file is not needed any more: committed, deleted or overwritten. */
    public synchronized void forget(long fileId) throws IOException {
        find(fileId).ifPresent(this::remove);
    }

    /** The same for all files of pushed blobs. */
    public void forget(List<CommittedFile> committed) throws IOException {
        for (int from = 0; from < committed.size(); from += FORGET_AT_ONCE) {
            synchronized (this) {
                for (CommittedFile file : committed.subList(from, Math.min(committed.size(), from + FORGET_AT_ONCE))) {
                    forget(file.version().id());
                }
            }
        }
    }

    private void remove(BufferedFile file) {
        index.remove(file.id());
        active.remove(file.id());
        files--;
        selection.gone(file.id());
        for (BufferSegment segment : file.segments) {
            segment.add(file.state, -1);
            segment.large.remove(file);
            settled(file, segment);
            if (segment.isEmpty()) {
                segments.dropIfEmpty(segment);
                selection.changed();
            }
        }
        file.state = BufferedFile.State.GONE;
        file.segments.clear();
        space.release(file.storedBytes());
        uploads.done(file);
    }

    /** The index as it is on disk. */
    BufferCheckpoints checkpoints() {
        return checkpoints;
    }

    /** What is given out to be packed, and what comes back. */
    public Selection selection() {
        return selection;
    }

    /** What the master is asked of the files, after a new registration and in doubt. */
    public BufferReclaims reclaims() {
        return reclaims;
    }

    /** Asks for everything appended so far to be sealed. */
    public void requestRoll() {
        sealing.order();
    }

    /** No segment is open: whatever was asked for is done. */
    synchronized void nothingToRoll() {
        sealing.met();
    }

    /** Asks for it as soon as no push is under way and its company is there: those who wait share one blob. */
    public synchronized void requestUpload() {
        sealing.wantUpload();
    }

    synchronized boolean shouldRoll(BufferSegment segment) {
        boolean empty = BufferSegments.isBlank(segment);
        Optional<SealCause> cause = empty ? Optional.empty() : sealing.cause(segment, segments.all());
        cause.ifPresent(why -> segment.cause = why);
        if (cause.isPresent() || empty) {
            sealing.met();
        }
        return cause.isPresent();
    }

    /** What the buffer holds now, for {@link #awaitGone}. */
    public synchronized List<BufferSegment> contents() {
        return List.copyOf(segments.all());
    }

    /**
     * Waits until nothing in these segments is needed any more, at most so long; returns whether it is so.
     *
     * @throws IOException when the disk damaged files, so that it never will be
     */
    @SuppressWarnings("WaitNotInLoop") // The caller's loop asks again.
    public synchronized boolean awaitGone(List<BufferSegment> contents, long millis)
            throws IOException, InterruptedException {
        if (segments.gone(contents)) {
            return true;
        }
        wait(millis);
        return segments.gone(contents);
    }

    /** Bytes of records that opening the buffer had to read, because the index did not know them. */
    public synchronized long scannedBytes() {
        return scannedBytes;
    }

    /** Creators that wait for room. */
    public long waitingCreators() {
        return space.waiting();
    }

    public long bufferedBytes() {
        return space.usedBytes();
    }

    public synchronized long bufferedFiles() {
        return files;
    }

    @Override
    public void close() throws IOException {
        checkpoints.take();
        synchronized (this) {
            segments.close();
        }
        segmentFiles.deleteAll();
    }
}
