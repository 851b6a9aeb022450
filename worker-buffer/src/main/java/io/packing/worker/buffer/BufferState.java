package io.packing.worker.buffer;

import io.packing.bdt.PushedBlob;
import io.packing.blob.Extent;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Which files a buffer holds, how far each of them is, and what each segment is needed for. Memory holds the files that
 * something is being done with and counts for each segment; what waits to be packed is in the {@link BufferIndex} only.
 *
 * <p>One lock guards all of it, and every method leaves it whole: a file is counted by each of its segments in its state, a
 * small file that waits to be packed has its row and is not in memory, a segment that nobody writes, packs or needs is gone,
 * and whoever waits for work or for its end is woken when there is some. Thread-safe.
 */
final class BufferState implements Sealing.Outgoing {
    private final BufferIndex index;
    private final BufferSegments segments;
    private final BufferSpace space;
    private final Consumer<BufferedFile> left;
    private final Map<Long, BufferedFile> active = new HashMap<>();
    private final Departures departures = new Departures();
    private long files;
    private long changes;

    /**
     * @param segments of which only this class changes any
     * @param space in which a file has its room for as long as it is here
     * @param left told, without the lock, of files that are not needed any more
     */
    BufferState(BufferIndex index, BufferSegments segments, BufferSpace space, Consumer<BufferedFile> left) {
        this.index = index;
        this.segments = segments;
        this.space = space;
        this.left = left;
    }

    /** Takes over what an earlier process left, which the index knows. */
    synchronized void recovered(BufferRecovery recovery) throws IOException {
        segments.recovered(recovery);
        try (BufferIndex.Rows rows = index.rows(0, Long.MAX_VALUE)) {
            for (Optional<FileRow> row = rows.next(); row.isPresent(); row = rows.next()) {
                BufferedFile file = inMemory(row.get());
                for (BufferSegment segment : file.segments()) {
                    segment.use().count(BufferedFile.State.LIVE, 1);
                    segment.use().indexed(file.id());
                }
                keepIfLarge(file);
                files++;
                space.recovered(file.storedBytes());
            }
        }
        List.copyOf(segments.all()).forEach(segments::dropIfUnused);
    }

    private BufferedFile inMemory(FileRow row) {
        return BufferedFile.of(row, segments::get);
    }

    /** Large files are few, and their parts are pushed one by one: they stay in memory. */
    private void keepIfLarge(BufferedFile file) {
        if (file.large()) {
            active.put(file.id(), file);
            file.segments().forEach(segment -> segment.use().addLarge(file));
        }
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
        file.claiming(true);
        active.put(file.id(), file);
        files++;
    }

    /** It is not known whether the claim was granted. */
    synchronized void doubt(BufferedFile file) {
        file.claiming(false);
    }

    /** A record from {@code at} to {@code end} is appended; the extent is in it, if it has bytes. */
    synchronized void placed(BufferedFile file, BufferSegment segment, Optional<Extent> extent, long at, long end) {
        segment.use().placed(end);
        segments.moved(segment);
        if (file.is(BufferedFile.State.GONE)) {
            // Dropped before its bytes were placed: their room is given back only now.
            space.release(extent.map(Extent::storedLength).orElse(0));
            return;
        }
        extent.ifPresent(bytes -> file.add(new BufferedFile.Part(segment, bytes)));
        file.placed(segment, at);
    }

    /** A segment takes no more records. */
    synchronized void roll(BufferSegment segment, SealCause why) {
        segment.use().roll(why);
        segments.dropIfUnused(segment);
        changed();
    }

    @Override
    public synchronized boolean waits() {
        return segments.all().stream().anyMatch(segment -> segment.use().waits());
    }

    @Override
    public synchronized boolean isUnderWay() {
        return segments.all().stream().anyMatch(segment -> segment.use().isUnderWay());
    }

    /** How long ago the oldest segment was begun that has files which are not pushed; 0 when there is none. */
    synchronized long oldestNanos(long now) {
        return segments.all().stream()
                .filter(segment -> segment.use().hasUnpushed())
                .mapToLong(segment -> now - segment.openedNanos())
                .max()
                .orElse(0);
    }

    /** The claim was granted: the file may be packed from now on. */
    synchronized void granted(BufferedFile file, long generation) {
        boolean news = file.granted(generation);
        if (file.is(BufferedFile.State.PENDING)) {
            known(file);
            file.move(BufferedFile.State.LIVE);
            active.remove(file.id());
            keepIfLarge(file);
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
                // Only now it can be packed.
                changed();
            }
        }
    }

    /** The master keeps a file, of which it named the version. */
    synchronized void kept(FileVersion asked, FileVersion kept) throws IOException {
        BufferedFile file = active.get(asked.id());
        if (file != null) {
            granted(file, kept.generation());
        } else if (!kept.equals(asked)) {
            index.get(asked.id()).ifPresent(row -> note(row.withGeneration(kept.generation())));
        }
    }

    /** A file was pushed by an earlier process, and is not packed again. */
    synchronized void alreadyPushed(FileVersion version) throws IOException {
        Optional<BufferedFile> known = find(version.id());
        if (known.isPresent()) {
            BufferedFile file = known.get();
            active.put(file.id(), file);
            file.move(BufferedFile.State.PUSHED);
            granted(file, version.generation());
        }
    }

    /** Files of which it is not known whether they were granted, without the claims that are under way. */
    synchronized List<BufferedFile> doubts() {
        return active.values().stream().filter(BufferedFile::isInDoubt).toList();
    }

    synchronized Optional<BufferedFile> find(long fileId) throws IOException {
        BufferedFile file = active.get(fileId);
        return file != null ? Optional.of(file) : index.get(fileId).map(this::inMemory);
    }

    /** Where the bytes of a file are; empty when it is gone. */
    synchronized Optional<List<BufferedFile.Part>> parts(BufferedFile file) {
        return file.is(BufferedFile.State.GONE) ? Optional.empty() : Optional.of(List.copyOf(file.parts()));
    }

    synchronized long files() {
        return files;
    }

    /** A file in memory is not needed: refused, or its bytes could not be written. */
    void drop(BufferedFile file) {
        boolean dropped;
        synchronized (this) {
            dropped = active.get(file.id()) == file;
            if (dropped) {
                remove(file);
            }
        }
        if (dropped) {
            left.accept(file);
        }
    }

    /** Files are not needed any more: committed, deleted or overwritten. Those that are not here are no matter. */
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
        index.remove(file.id());
        active.remove(file.id());
        files--;
        departures.note(file.id());
        space.release(file.storedBytes());
        for (BufferSegment segment : file.leave()) {
            settled(file, segment);
            if (segment.use().isEmpty()) {
                segments.dropIfUnused(segment);
                changed();
            }
        }
    }

    /** Notes in the index how far each segment need not be scanned. */
    synchronized void checkpoint() {
        segments.checkpoint();
    }

    /** The segments that there are. */
    synchronized List<BufferSegment> contents() {
        return List.copyOf(segments.all());
    }

    /**
     * Waits until nothing in these segments is needed any more, at most so long; returns whether it is so.
     *
     * @throws IOException when the disk damaged files, so that it never will be
     */
    @SuppressWarnings("WaitNotInLoop") // The caller's loop asks again.
    synchronized boolean awaitGone(List<BufferSegment> contents, long millis) throws IOException, InterruptedException {
        if (segments.gone(contents)) {
            return true;
        }
        wait(millis);
        return segments.gone(contents);
    }

    /** How often there came to be something else to pack, or nothing any more. */
    synchronized long changes() {
        return changes;
    }

    /** Waits until there may be something to pack that was not there after so many changes, and not longer than so. */
    @SuppressWarnings("WaitNotInLoop") // The caller's loop looks for work itself; waking early is harmless.
    synchronized void awaitChange(long seen, long millis) throws InterruptedException {
        if (changes == seen) {
            wait(millis);
        }
    }

    /** Wakes those who wait for work or for its end. */
    private void changed() {
        changes++;
        notifyAll();
    }

    /** A rolled segment to make a blob of; each is given out once. */
    synchronized Optional<BufferSegment> takeSegment(boolean dedicatedOnly) {
        return segments.take(dedicatedOnly);
    }

    /** The files of a segment of one large file that wait to be packed. */
    synchronized List<BufferedFile> livingLarge(BufferSegment segment) {
        return segment.use().large().stream()
                .filter(file -> file.is(BufferedFile.State.LIVE))
                .toList();
    }

    /** The segments whose small files wait to be packed. */
    synchronized Optional<OfferedSegments> offered() {
        return OfferedSegments.of(segments.all().stream()
                .filter(segment -> !segment.dedicated() && segment.use().isOffered())
                .toList());
    }

    /** The segment of which a packer takes the small files. */
    synchronized OfferedSegments offered(BufferSegment taken) {
        return OfferedSegments.of(List.of(taken)).orElseThrow();
    }

    /** From now on rows are listed without the lock; ended by {@link #take} or {@link #endListing}. */
    synchronized void beginListing() {
        departures.begin();
    }

    /** A row that was listed, as a file, if it waits to be packed and its segment is among those offered. */
    synchronized Optional<BufferedFile> listed(FileRow row, OfferedSegments offered) {
        boolean waits = !active.containsKey(row.id()) && !departures.have(row.id());
        return waits && segments.find(row.segment()).filter(offered::contains).isPresent()
                ? Optional.of(inMemory(row))
                : Optional.empty();
    }

    /** Ends a listing and gives out, to be packed, what it found and is still there; each file once. */
    synchronized List<BufferedFile> take(Collection<BufferedFile> listed) {
        List<BufferedFile> taken = new ArrayList<>(listed.size());
        for (BufferedFile file : listed) {
            if (!departures.have(file.id()) && !active.containsKey(file.id())) {
                file.move(BufferedFile.State.SEALING);
                active.put(file.id(), file);
                taken.add(file);
            }
        }
        departures.end();
        return taken;
    }

    /** The same for the files of a segment, which are given back with it. */
    synchronized List<BufferedFile> take(Collection<BufferedFile> listed, BufferSegment segment) {
        List<BufferedFile> taken = take(listed);
        segment.use().take(taken);
        return taken;
    }

    /** Ends a listing of which nothing is taken. */
    synchronized void endListing() {
        departures.end();
    }

    /** Takes files back that were not pushed. */
    synchronized void giveBack(Collection<BufferedFile> taken) {
        for (BufferedFile file : taken) {
            if (file.is(BufferedFile.State.SEALING)) {
                file.move(BufferedFile.State.LIVE);
                active.remove(file.id());
            }
        }
        changed();
    }

    /** Takes a segment back; it is given out again unless its blob was pushed. */
    synchronized void release(BufferSegment segment, boolean pushed) {
        giveBack(segment.use().release(pushed));
        segments.dropIfUnused(segment);
    }

    /** The bytes of a file do not match their checksum any more; returns whether it is kept for that. */
    synchronized boolean damaged(BufferedFile file) {
        if (!file.is(BufferedFile.State.LIVE) && !file.is(BufferedFile.State.SEALING)) {
            return false;
        }
        file.move(BufferedFile.State.DAMAGED);
        changed();
        return true;
    }

    /** Notes where a blob has the files' extents; returns what the master is to be told now. */
    synchronized PushReport pushed(PushedBlob blob, Map<BufferedFile, List<Extent>> placed) {
        return PushReport.of(blob, placed);
    }

    synchronized void close() throws IOException {
        segments.close();
    }
}
