package io.packing.worker.buffer;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.Durability;
import io.packing.blob.SealRule;
import io.packing.durable.DurableDirectory;
import io.packing.sorted.Boot;
import io.packing.sorted.SortedStore;
import io.packing.worker.api.BufferValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * All files that a mount's worker holds, and the segments their bytes are in. The {@link BufferState} says how far each file
 * is; around it are the {@link Intake}, the {@link Selection} of what is packed, the {@link BufferReclaims} and the
 * {@link BufferCheckpoints}, which know it by its methods. Bytes are written by the {@link Appender} and read without a lock.
 * Thread-safe.
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
        public long keptFreeBytes() {
            return Math.max(
                    index.keptFreeBytes(),
                    values.map(SortedStore::keptFreeBytes).orElse(0L));
        }
    }

    /** Committed files that are forgotten under one lock. */
    private static final int FORGET_AT_ONCE = 1_000;

    private final BufferState state;
    private final SegmentFiles segmentFiles;
    private final LongSupplier nanoTime;
    private final Sealing sealing;
    private final BufferSpace space;
    private final UploadWaiters uploads;
    private final Intake intake;
    private final Selection selection;
    private final BufferReclaims reclaims;
    private final BufferCheckpoints checkpoints;
    private long scannedBytes;

    private FileBuffer(
            Path directory,
            BufferLimits limits,
            BufferIndex index,
            BufferSegments segments,
            SegmentGrants grants,
            SegmentFiles segmentFiles,
            Optional<ValueStore> values,
            LongSupplier nanoTime) {
        this.segmentFiles = segmentFiles;
        this.nanoTime = nanoTime;
        Doorbell bell = new Doorbell();
        this.sealing = new Sealing(limits, nanoTime, bell);
        this.space = new BufferSpace(
                directory,
                limits.maxBytes(),
                limits.fullTimeout(),
                segmentFiles::usableBytes,
                nanoTime,
                sealing::press);
        this.state = new BufferState(index, segments, space, this::left);
        this.uploads = new UploadWaiters(state::find, space);
        this.intake = new Intake(limits, state, space, sealing, bell);
        this.selection = new Selection(state, index, uploads);
        this.reclaims = new BufferReclaims(state, index, limits);
        this.checkpoints = new BufferCheckpoints(
                state,
                index,
                segmentFiles,
                values,
                limits.durability() == Durability.BUFFERED ? Optional.empty() : Optional.of(grants),
                nanoTime);
    }

    /** Learns that nothing could be packed, for lack of room on the disk. */
    public void cannotPack(String why) {
        space.cannotPack(why);
    }

    /** Learns that something was packed. */
    public void packed() {
        space.packed();
    }

    /** Takes other limits while it works: how much it holds, and when what it holds is sealed. */
    public void limit(long maxBytes, SealRule.Terms seal) {
        space.resize(maxBytes);
        sealing.change(seal);
    }

    /**
     * Opens the buffer, with every complete file that an earlier process left in it.
     *
     * @param random numbers that nobody who writes files can foresee
     */
    public static FileBuffer open(
            Path directory, BufferLimits limits, SortedStore index, LongSupplier nanoTime, IntSupplier random)
            throws IOException {
        return open(directory, limits, new Stores(index, Optional.empty(), BufferValues.SEGMENT), nanoTime, random);
    }

    /** The same, with values that are in a store or were. */
    public static FileBuffer open(
            Path directory, BufferLimits limits, Stores stores, LongSupplier nanoTime, IntSupplier random)
            throws IOException {
        // The stores come first: on a disk that is full of files, nothing but their rows lets the buffer forget any.
        return open(
                directory,
                limits,
                stores,
                () -> Files.getFileStore(directory).getUsableSpace() - stores.keptFreeBytes(),
                nanoTime,
                random,
                Boot.id());
    }

    static FileBuffer open(
            Path directory,
            BufferLimits limits,
            Stores stores,
            BufferSpace.FreeSpace free,
            LongSupplier nanoTime,
            IntSupplier random,
            String bootId)
            throws IOException {
        DurableDirectory.create(directory);
        Optional<ValueStore> values = stores.values().isPresent()
                ? Optional.of(ValueStore.open(stores.values().get()))
                : Optional.empty();
        BufferIndex index = new BufferIndex(stores.index());
        SegmentFiles files = new SegmentFiles(directory, free, nanoTime, random);
        BufferRecovery recovery = new BufferRecovery(directory, index, files, values, nanoTime.getAsLong());
        recovery.run(bootId);
        SegmentGrants grants = new SegmentGrants(directory);
        BufferSegments segments = new BufferSegments(directory, index, files, values, stores.place(), grants, nanoTime);
        FileBuffer buffer = new FileBuffer(directory, limits, index, segments, grants, files, values, nanoTime);
        buffer.recovered(recovery);
        return buffer;
    }

    private void recovered(BufferRecovery recovery) throws IOException {
        state.recovered(recovery);
        scannedBytes = recovery.scannedBytes;
    }

    /** A file is not needed any more: who waits for its upload is told. */
    private void left(BufferedFile file) {
        uploads.done(file);
    }

    /** Writers that wait for their files to be committed. */
    public UploadWaiters uploads() {
        return uploads;
    }

    /** The way of files into the buffer. */
    Intake intake() {
        return intake;
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

    /** The claim was granted: the file may be packed from now on. */
    public void granted(BufferedFile file, long generation) {
        state.granted(file, generation);
    }

    /** It is not known whether the claim was granted: the next heartbeat asks the master. */
    public void doubt(BufferedFile file) {
        state.doubt(file);
    }

    public Optional<BufferedFile> find(long fileId) throws IOException {
        return state.find(fileId);
    }

    /** Where the bytes of a file are; empty when it is gone. */
    public Optional<List<BufferedFile.Part>> parts(BufferedFile file) {
        return state.parts(file);
    }

    /** A file in memory is not needed: refused, or its bytes could not be written. */
    public void drop(BufferedFile file) {
        state.drop(file);
    }

    /** A file is not needed any more: committed, deleted or overwritten. */
    public void forget(long fileId) throws IOException {
        state.forget(List.of(fileId));
    }

    /** The same for all files of pushed blobs. */
    public void forget(List<CommittedFile> committed) throws IOException {
        for (int from = 0; from < committed.size(); from += FORGET_AT_ONCE) {
            state.forget(committed.subList(from, Math.min(committed.size(), from + FORGET_AT_ONCE)).stream()
                    .map(file -> file.version().id())
                    .toList());
        }
    }

    /** Asks for everything appended so far to be sealed. */
    public void requestRoll() {
        sealing.order();
    }

    /** Asks for it as soon as no push is under way and its company is there: those who wait share one blob. */
    public void requestUpload() {
        sealing.wantUpload();
    }

    /** What the buffer holds now, for {@link #awaitGone}. */
    public List<BufferSegment> contents() {
        return state.contents();
    }

    /**
     * Waits until nothing in these segments is needed any more, at most so long; returns whether it is so.
     *
     * @throws IOException when the disk damaged files, so that it never will be
     */
    public boolean awaitGone(List<BufferSegment> contents, long millis) throws IOException, InterruptedException {
        return state.awaitGone(contents, millis);
    }

    /** Bytes of records that opening the buffer had to read, because the index did not know them. */
    public long scannedBytes() {
        return scannedBytes;
    }

    /** Creators that wait for room. */
    public long waitingCreators() {
        return space.waiting();
    }

    /**
     * For how long the oldest file waits that is in no blob of the store yet, by the segment that it is in; zero when none
     * waits. What an earlier process left counts from the start of this one.
     */
    public Duration oldest() {
        return Duration.ofNanos(state.oldestNanos(nanoTime.getAsLong()));
    }

    public long bufferedBytes() {
        return space.usedBytes();
    }

    public long bufferedFiles() {
        return state.files();
    }

    @Override
    public void close() throws IOException {
        checkpoints.take();
        state.close();
        segmentFiles.deleteAll();
    }
}
