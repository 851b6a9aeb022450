// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.Durability;
import io.packing.blob.SealPolicy;
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
 * All files that a mount's worker holds, and the segments with their bytes. The {@link BufferState} keeps the state of
 * each file. Around it are the {@link Intake}, the {@link Selection} of files to pack, the {@link BufferReclaims} and
 * the {@link BufferCheckpoints}, which use its methods. The {@link Appender} writes bytes; reads of them take no lock.
 * Thread-safe.
 */
public final class FileBuffer implements AutoCloseable {
    /**
     * The stores below a buffer.
     *
     * @param index of the files; may be lost
     * @param values of small files, now or before the mount changed their place
     * @param place of new small files
     */
    public record Stores(SortedStore index, Optional<SortedStore> values, BufferValues place) {
        public Stores {
            if (place == BufferValues.STORE && values.isEmpty()) {
                throw new IllegalArgumentException("no store for the values");
            }
        }

        /** Returns the bytes that must stay free on the disk, so that every store takes writes. */
        public long keptFreeBytes() {
            return Math.max(
                    index.keptFreeBytes(),
                    values.map(SortedStore::keptFreeBytes).orElse(0L));
        }
    }

    /** The committed files that are forgotten under one lock. */
    private static final int FORGET_AT_ONCE = 1_000;

    private final BufferState state;
    private final SegmentFiles segmentFiles;
    private final LongSupplier nanoTime;
    private final Sealing sealing;
    private final BufferSpace space;
    private final UploadWaiters uploads;
    private final Intake intake;
    private final Selection selection;
    private final FillingSegments filling;
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
                directory, limits.maxBytes(), limits.fullTimeout(), segmentFiles::usableBytes, nanoTime, this::full);
        this.state = new BufferState(index, segments, space, this::left);
        index.ring(bell);
        this.uploads = new UploadWaiters(state::find, space);
        this.filling = new FillingSegments(state, index, nanoTime);
        this.intake = new Intake(limits, state, space, sealing, bell, filling);
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

    /** Notes that the worker could not pack, for lack of room on the disk. */
    public void cannotPack(String why) {
        space.cannotPack(why);
    }

    /** Notes that the worker packed a blob. */
    public void packed() {
        space.packed();
    }

    /** Changes the limits of a working buffer: its size, and the terms by which it seals. */
    public void limit(long maxBytes, SealPolicy.SealOptions seal) {
        space.resize(maxBytes);
        sealing.change(seal);
    }

    /**
     * Opens the buffer, with every complete file that an earlier process left in it.
     *
     * @param random numbers that no writer of files can foresee
     */
    public static FileBuffer open(
            Path directory, BufferLimits limits, SortedStore index, LongSupplier nanoTime, IntSupplier random)
            throws IOException {
        return open(directory, limits, new Stores(index, Optional.empty(), BufferValues.SEGMENT), nanoTime, random);
    }

    /** Opens the buffer, with values that are in a store or were in one. */
    public static FileBuffer open(
            Path directory, BufferLimits limits, Stores stores, LongSupplier nanoTime, IntSupplier random)
            throws IOException {
        // Keep the stores' space free: on a full disk the buffer forgets a file only if they take its row.
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
        if (limits.durability() != Durability.BUFFERED) {
            SegmentGrants.forceAll(directory);
        }
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

    /** Completes the uploads that writers of the file wait for, when it leaves the buffer. */
    private void left(BufferedFile file) {
        uploads.done(file);
    }

    /** Returns the writers that wait for their files to be committed. */
    public UploadWaiters uploads() {
        return uploads;
    }

    /** Returns the part that takes files into the buffer. */
    Intake intake() {
        return intake;
    }

    /** Returns the schedule by which the index is written. */
    BufferCheckpoints checkpoints() {
        return checkpoints;
    }

    /** Returns the part that gives files out to be packed, and takes them back. */
    public Selection selection() {
        return selection;
    }

    /** Returns the part that gives the open segment out, to be sent while it fills. */
    public FillingSegments filling() {
        return filling;
    }

    /** Returns the questions about the files to the master, after a new registration and in doubt. */
    public BufferReclaims reclaims() {
        return reclaims;
    }

    /** Notes that the claim was granted: the file may be packed from now on. */
    public void granted(BufferedFile file, long generation) {
        state.granted(file, generation);
    }

    /** Notes that the claim's outcome is unknown: the next heartbeat asks the master. */
    public void doubt(BufferedFile file) {
        state.doubt(file);
    }

    public Optional<BufferedFile> find(long fileId) throws IOException {
        return state.find(fileId);
    }

    /** Returns the places of a file's bytes; empty when it is gone. */
    public Optional<List<BufferedFile.Part>> parts(BufferedFile file) {
        return state.parts(file);
    }

    /** Removes a file in memory after a refused claim or a failed write. */
    public void drop(BufferedFile file) {
        state.drop(file);
    }

    /** Asks for a push, and gives up the bytes that only a recovery of the table would need. */
    private void full() throws IOException {
        sealing.press();
        state.journalled(0, Long.MAX_VALUE);
    }

    /** Keeps the bytes of a deleted file, which is not packed, until {@link #journalled} says that the store knows of the deletion. */
    public void delete(long fileId) throws IOException {
        state.delete(List.of(fileId));
    }

    /**
     * Learns of the master's log, and removes the deleted files of which the store knows.
     *
     * @param position of the log, at or after the deletion of every file that was deleted before this call
     * @param journalled the position up to which the store has all changes of names
     */
    public void journalled(long position, long journalled) throws IOException {
        state.journalled(position, journalled);
    }

    /** Returns the bytes of deleted files that are kept for a recovery of the table. */
    public long deletedBytes() {
        return state.deletedBytes();
    }

    /** Removes a file that was committed or overwritten. */
    public void forget(long fileId) throws IOException {
        state.forget(List.of(fileId));
    }

    /** Removes all files of pushed blobs. */
    public void forget(List<CommittedFile> committed) throws IOException {
        for (int from = 0; from < committed.size(); from += FORGET_AT_ONCE) {
            state.forget(committed.subList(from, Math.min(committed.size(), from + FORGET_AT_ONCE)).stream()
                    .map(file -> file.version().id())
                    .toList());
        }
    }

    /** Orders a roll, so that all files appended so far are sealed. */
    public void requestRoll() {
        sealing.order();
    }

    /** Notes that a file that is not claimed yet takes no other's place before its upload. */
    public void defer(BufferedFile file) {
        file.defer();
    }

    /** Notes the newest position that the worker knows before it claims a file that may replace another one. */
    public void claimedAfter(BufferedFile file, long position) {
        file.claimedAfter(position);
    }

    /** Asks for a roll as soon as no push is under way and other files have come: waiting writers share one blob. */
    public void requestUpload() {
        sealing.wantUpload();
    }

    /** Returns all segments, for {@link #awaitGone}. */
    public List<BufferSegment> contents() {
        return state.contents();
    }

    /**
     * Waits at most so long until no file needs these segments any more; returns true if so.
     *
     * @throws IOException when the rest are files that the disk damaged, and that therefore stay
     */
    public boolean awaitGone(List<BufferSegment> contents, long millis) throws IOException, InterruptedException {
        return state.awaitGone(contents, millis);
    }

    /** Returns the bytes of records that the start had to read, because the index did not know them. */
    public long scannedBytes() {
        return scannedBytes;
    }

    /** Returns the number of creators that wait for space. */
    public long waitingCreators() {
        return space.waiting();
    }

    /**
     * Returns the age of the oldest segment with a file that no blob in the store has; zero when none has. A segment of
     * an earlier process counts from the start of this one.
     */
    public Duration oldest() {
        return Duration.ofNanos(state.oldestNanos(nanoTime.getAsLong()));
    }

    /** Returns the bytes that wait for the store, or for their commit. */
    public long bufferedBytes() {
        return space.usedBytes() - deletedBytes();
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
