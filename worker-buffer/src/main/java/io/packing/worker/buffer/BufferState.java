// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.bdt.PushedBlob;
import io.packing.blob.Extent;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The files of a buffer with the state of each, and the uses of each segment. Memory holds the files that a thread
 * works on, and counts for each segment; files that wait to be packed are in the {@link BufferIndex} only.
 *
 * <p>One lock guards all of it, and every method keeps these invariants. Each segment of a file counts it in its state.
 * A small file that waits to be packed has its row and is not in memory. A segment that no thread writes or packs and
 * no file needs is gone. A change wakes the threads that wait for work or for its end. Thread-safe.
 */
final class BufferState implements Sealing.Outgoing {
    private final BufferIndex index;
    private final BufferFiles files;
    private final BufferSegments segments;
    private final BufferSpace space;
    private final Consumer<BufferedFile> left;
    private long changes;

    /**
     * @param segments that only this class changes
     * @param space in which each file holds its bytes until it leaves
     * @param left receives, without the lock, the files that leave
     */
    BufferState(BufferIndex index, BufferSegments segments, BufferSpace space, Consumer<BufferedFile> left) {
        this.index = index;
        this.files = new BufferFiles(index, segments::get);
        this.segments = segments;
        this.space = space;
        this.left = left;
    }

    /** Takes over the files of an earlier process, which the index knows. */
    synchronized void recovered(BufferRecovery recovery) throws IOException {
        segments.recovered(recovery);
        space.recovered(files.recovered());
        List.copyOf(segments.all()).forEach(segments::dropIfUnused);
    }

    /** Creates a segment for small files; the given buffer gathers its records. */
    synchronized BufferSegment newSegment(ByteBuffer gather) throws IOException {
        return segments.create(gather);
    }

    /** Creates a segment for one large file, always a file of its own. */
    synchronized BufferSegment newLargeSegment() throws IOException {
        return segments.createLarge();
    }

    /** Adds a file; its claim is under way until it is granted, dropped or doubted. */
    synchronized void add(BufferedFile file) {
        file.claiming(true);
        files.add(file);
    }

    /** Notes that the outcome of the file's claim is unknown. */
    synchronized void doubt(BufferedFile file) {
        file.claiming(false);
    }

    /** Notes an appended record from {@code at} to {@code end}; the extent in it is present if it has bytes. */
    synchronized void placed(BufferedFile file, BufferSegment segment, Optional<Extent> extent, long at, long end) {
        segment.use().placed(end);
        segments.moved(segment);
        if (file.is(BufferedFile.State.GONE)) {
            // The file was dropped before its bytes were placed, so their space is free only now.
            space.release(extent.map(Extent::storedLength).orElse(0));
            return;
        }
        extent.ifPresent(bytes -> file.add(new BufferedFile.Part(segment, bytes)));
        file.placed(segment, at);
    }

    /** Ends a segment, which takes no more records. */
    synchronized void roll(BufferSegment segment, SealCause why) {
        segment.use().roll(why);
        segments.dropIfUnused(segment);
        changed();
    }

    @Override
    public synchronized boolean waits() {
        return segments.any(SegmentUse::waits);
    }

    @Override
    public synchronized boolean isUnderWay() {
        return segments.any(SegmentUse::isUnderWay);
    }

    /** Returns the age of the oldest segment with files that are not pushed; 0 without one. */
    synchronized long oldestNanos(long now) {
        return segments.oldestNanos(now);
    }

    /** Notes that the claim was granted: the file may be packed from now on. */
    synchronized void granted(BufferedFile file, long generation) {
        boolean news = file.granted(generation);
        if (file.is(BufferedFile.State.PENDING)) {
            known(file);
            file.move(BufferedFile.State.LIVE);
            files.letGo(file);
        } else if (news && !file.is(BufferedFile.State.GONE)) {
            note(FileRow.of(file));
        }
    }

    private void note(FileRow row) {
        segments.granted(row);
        index.put(row);
    }

    private void known(BufferedFile file) {
        note(FileRow.of(file));
        for (BufferSegment segment : file.segments()) {
            segment.use().indexed(file.id());
            settled(file, segment);
        }
    }

    private void settled(BufferedFile file, BufferSegment segment) {
        if (segment.use().settle(file.id())) {
            segments.moved(segment);
            if (segment.use().isSettled()) {
                // Packers may take the segment only now.
                changed();
            }
        }
    }

    /** Notes that the master keeps a file at this version. */
    synchronized void kept(FileVersion asked, FileVersion kept) throws IOException {
        if (files.undelete(asked.id())) {
            changed();
        }
        Optional<BufferedFile> file = files.inMemory(asked.id());
        if (file.isPresent()) {
            granted(file.get(), kept.generation());
        } else if (!kept.equals(asked)) {
            index.get(asked.id()).ifPresent(row -> note(row.withGeneration(kept.generation())));
        }
    }

    /** Notes that an earlier process pushed a file, which is not packed again. */
    synchronized void alreadyPushed(FileVersion version) throws IOException {
        Optional<BufferedFile> known = find(version.id());
        if (known.isPresent()) {
            BufferedFile file = known.get();
            files.hold(file);
            file.move(BufferedFile.State.PUSHED);
            granted(file, version.generation());
        }
    }

    /** Returns the files whose grant is unknown, without those whose claims are under way. */
    synchronized List<BufferedFile> doubts() {
        return files.doubts();
    }

    synchronized Optional<BufferedFile> find(long fileId) throws IOException {
        return files.find(fileId);
    }

    /** Returns the places of a file's bytes; empty when it is gone. */
    synchronized Optional<List<BufferedFile.Part>> parts(BufferedFile file) {
        return file.isGone() ? Optional.empty() : Optional.of(List.copyOf(file.parts()));
    }

    /** Returns the number of files, without deleted ones. */
    synchronized long files() {
        return files.count();
    }

    /** Returns the bytes of deleted files. */
    synchronized long deletedBytes() {
        return files.deleted().bytes();
    }

    /** Removes a file in memory after a refused claim or a failed write. */
    void drop(BufferedFile file) {
        boolean dropped;
        synchronized (this) {
            dropped = files.inMemory(file.id()).filter(file::equals).isPresent();
            if (dropped) {
                remove(file);
            }
        }
        if (dropped) {
            left.accept(file);
        }
    }

    /**
     * Keeps the bytes of deleted files until {@link #journalled} says that the store knows of the deletion. Files whose claims have no
     * answer, and damaged ones, go at once; pushed ones with their commits. Ignores those that are not here.
     */
    void delete(List<Long> fileIds) throws IOException {
        List<Long> gone = new ArrayList<>();
        List<BufferedFile> kept = new ArrayList<>();
        synchronized (this) {
            for (long fileId : fileIds) {
                Optional<BufferedFile> file = find(fileId);
                if (file.filter(BufferedFile::waits).isPresent()) {
                    files.delete(file.get());
                    kept.add(file.get());
                } else if (file.filter(there -> !there.isGone() && !there.is(BufferedFile.State.PUSHED))
                        .isPresent()) {
                    gone.add(fileId);
                }
            }
            changed();
        }
        kept.forEach(left);
        forget(gone);
    }

    /** Removes the deleted files of which the store knows. The arguments are those of {@link DeletedFiles#known}. */
    void journalled(long position, long journalled) throws IOException {
        List<Long> known;
        synchronized (this) {
            known = files.deleted().known(position, journalled);
        }
        forget(known);
    }

    /** Removes files that were committed, deleted or overwritten. Ignores those that are not here. */
    void forget(List<Long> fileIds) throws IOException {
        List<BufferedFile> gone = new ArrayList<>(fileIds.size());
        try {
            synchronized (this) {
                for (long fileId : fileIds) {
                    find(fileId).ifPresent(file -> {
                        remove(file);
                        gone.add(file);
                    });
                }
            }
        } finally {
            gone.forEach(left);
        }
    }

    private void remove(BufferedFile file) {
        files.remove(file);
        space.release(file.storedBytes());
        for (BufferSegment segment : file.leave()) {
            settled(file, segment);
            if (segment.use().isEmpty()) {
                segments.dropIfUnused(segment);
                changed();
            }
        }
    }

    /** Notes in the index the checkpoint up to which a start does not scan each segment. */
    synchronized void checkpoint() {
        segments.checkpoint();
    }

    /** Returns all segments. */
    synchronized List<BufferSegment> contents() {
        return List.copyOf(segments.all());
    }

    /**
     * Waits at most so long until no file needs these segments any more; returns true if so.
     *
     * @throws IOException when the rest are files that the disk damaged, and that therefore stay
     */
    @SuppressWarnings("WaitNotInLoop") // The caller's loop asks again.
    synchronized boolean awaitGone(List<BufferSegment> contents, long millis) throws IOException, InterruptedException {
        if (segments.gone(contents)) {
            return true;
        }
        wait(millis);
        return segments.gone(contents);
    }

    /** Returns the number of changes to the work that waits. */
    synchronized long changes() {
        return changes;
    }

    /** Waits, at most so long, for a change after this number of them. */
    @SuppressWarnings("WaitNotInLoop") // The caller's loop looks for work itself; waking early is harmless.
    synchronized void awaitChange(long seen, long millis) throws InterruptedException {
        if (changes == seen) {
            wait(millis);
        }
    }

    /** Wakes the threads that wait for work or for its end. */
    private void changed() {
        changes++;
        notifyAll();
    }

    /** Returns a rolled segment to make a blob of; gives each out once. */
    synchronized Optional<BufferSegment> takeSegment(boolean dedicatedOnly) {
        return segments.take(dedicatedOnly);
    }

    /** Returns the files of a segment of one large file that wait to be packed. */
    synchronized List<BufferedFile> livingLarge(BufferSegment segment) {
        return segment.use().large().stream()
                .filter(file -> file.is(BufferedFile.State.LIVE))
                .toList();
    }

    /** Returns the segments whose small files wait to be packed. */
    synchronized Optional<OfferedSegments> offered() {
        return OfferedSegments.of(segments.all().stream()
                .filter(segment -> !segment.dedicated() && segment.use().isOffered())
                .toList());
    }

    /** Offers one segment, whose small files its packer takes. */
    synchronized OfferedSegments offered(BufferSegment taken) {
        return OfferedSegments.of(List.of(taken)).orElseThrow();
    }

    /** Begins a listing of rows without the lock; {@link #take} or {@link #endListing} ends it. */
    synchronized void beginListing() {
        files.beginListing();
    }

    /** Returns the file of a listed row, if it waits to be packed and its segment is among those offered. */
    synchronized Optional<BufferedFile> listed(FileRow row, OfferedSegments offered) {
        return segments.find(row.segment()).filter(offered::contains).isPresent()
                ? files.listed(row)
                : Optional.empty();
    }

    /** Ends a listing and gives out its files that are still here, to be packed; each file once. */
    synchronized List<BufferedFile> take(Collection<BufferedFile> listed) {
        return files.take(listed);
    }

    /** Ends a listing and gives out its files, which come back together with their segment. */
    synchronized List<BufferedFile> take(Collection<BufferedFile> listed, BufferSegment segment) {
        List<BufferedFile> taken = take(listed);
        segment.use().take(taken);
        return taken;
    }

    /** Ends a listing without taking a file. */
    synchronized void endListing() {
        files.endListing();
    }

    /** Takes back the files that were not pushed. */
    synchronized void giveBack(Collection<BufferedFile> taken) {
        for (BufferedFile file : taken) {
            if (file.is(BufferedFile.State.SEALING)) {
                file.move(BufferedFile.State.LIVE);
                files.letGo(file);
            }
        }
        changed();
    }

    /** Takes a segment back; gives it out again unless its blob was pushed. */
    synchronized void release(BufferSegment segment, boolean pushed) {
        giveBack(segment.use().release(pushed));
        segments.dropIfUnused(segment);
    }

    /** Notes that a file does not match its checksum any more; returns true if the buffer keeps it for that. */
    synchronized boolean damaged(BufferedFile file) {
        if (!file.waits()) {
            return false;
        }
        file.move(BufferedFile.State.DAMAGED);
        changed();
        return true;
    }

    /** Notes the places of the files' extents in a blob; returns the report that the master gets now. */
    synchronized PushReport pushed(PushedBlob blob, Map<BufferedFile, List<Extent>> placed) {
        return PushReport.of(blob, placed);
    }

    synchronized void close() throws IOException {
        segments.close();
    }
}
