// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * The files of a buffer. Memory holds those that a thread works on, and large ones, of which there are few; all others have a row in the
 * {@link BufferIndex} only. Guarded by its {@link BufferState}.
 */
final class BufferFiles {
    private final BufferIndex index;
    private final LongFunction<BufferSegment> segments;
    private final Map<Long, BufferedFile> active = new HashMap<>();
    private final DeletedFiles deleted = new DeletedFiles();
    private final LeftFiles departures = new LeftFiles();
    private long count;

    /** @param segments gives the segment of a number */
    BufferFiles(BufferIndex index, LongFunction<BufferSegment> segments) {
        this.index = index;
        this.segments = segments;
    }

    /** Takes over the files of an earlier process, which the index knows; returns their bytes. */
    long recovered() throws IOException {
        long bytes = 0;
        try (BufferIndex.Rows rows = index.rows(0, Long.MAX_VALUE)) {
            for (Optional<FileRow> row = rows.next(); row.isPresent(); row = rows.next()) {
                BufferedFile file = inMemory(row.get());
                for (BufferSegment segment : file.segments()) {
                    segment.use().count(BufferedFile.State.LIVE, 1);
                    segment.use().indexed(file.id());
                }
                keepIfLarge(file);
                count++;
                bytes += file.storedBytes();
            }
        }
        return bytes;
    }

    private BufferedFile inMemory(FileRow row) {
        BufferedFile.State state = deleted.contains(row.id()) ? BufferedFile.State.DELETED : BufferedFile.State.LIVE;
        return BufferedFile.of(row, state, segments);
    }

    private void keepIfLarge(BufferedFile file) {
        if (file.large()) {
            active.put(file.id(), file);
            file.segments().forEach(segment -> segment.use().addLarge(file));
        }
    }

    /** Adds a file. */
    void add(BufferedFile file) {
        active.put(file.id(), file);
        count++;
    }

    /** Holds a file in memory while a thread works on it. */
    void hold(BufferedFile file) {
        active.put(file.id(), file);
    }

    /** Lets a file go that no thread works on any more, whose row the index has. */
    void letGo(BufferedFile file) {
        active.remove(file.id());
        keepIfLarge(file);
    }

    Optional<BufferedFile> find(long fileId) throws IOException {
        Optional<BufferedFile> file = inMemory(fileId);
        return file.isPresent() ? file : index.get(fileId).map(this::inMemory);
    }

    /** Returns the file that is in memory. */
    Optional<BufferedFile> inMemory(long fileId) {
        return Optional.ofNullable(active.get(fileId));
    }

    /** Returns the files whose grant is unknown, without those whose claims are under way. */
    List<BufferedFile> doubts() {
        return active.values().stream().filter(BufferedFile::isInDoubt).toList();
    }

    /** Returns the number of files, without deleted ones. */
    long count() {
        return count;
    }

    /** Returns the deleted files whose bytes stay. */
    DeletedFiles deleted() {
        return deleted;
    }

    /** Removes a file. */
    void remove(BufferedFile file) {
        index.remove(file.id());
        active.remove(file.id());
        departures.note(file.id());
        if (!deleted.remove(file)) {
            count--;
        }
    }

    /** Keeps the bytes of a deleted file that waits to be packed, or that a packer has taken. */
    void delete(BufferedFile file) {
        file.move(BufferedFile.State.DELETED);
        deleted.add(file);
        departures.note(file.id());
        count--;
        letGo(file);
    }

    /** Takes a deletion back; returns whether the file was deleted. */
    boolean undelete(long fileId) throws IOException {
        Optional<BufferedFile> wanted = deleted.contains(fileId) ? find(fileId) : Optional.empty();
        if (wanted.isEmpty() || !deleted.remove(wanted.get())) {
            return false;
        }
        wanted.get().move(BufferedFile.State.LIVE);
        wanted.get().segments().forEach(segment -> segment.use().giveOutAgain());
        count++;
        return true;
    }

    /** Begins a listing of rows without the lock; {@link #take} or {@link #endListing} ends it. */
    void beginListing() {
        departures.begin();
    }

    /** Ends a listing without taking a file. */
    void endListing() {
        departures.end();
    }

    /** Returns the file of a listed row, if it waits to be packed. */
    Optional<BufferedFile> listed(FileRow row) {
        return waits(row.id()) ? Optional.of(inMemory(row)) : Optional.empty();
    }

    private boolean waits(long fileId) {
        return !active.containsKey(fileId) && !departures.have(fileId) && !deleted.contains(fileId);
    }

    /** Ends a listing and gives out its files that are still here, to be packed; each file once. */
    List<BufferedFile> take(Collection<BufferedFile> listed) {
        List<BufferedFile> taken = new ArrayList<>(listed.size());
        for (BufferedFile file : listed) {
            if (waits(file.id())) {
                file.move(BufferedFile.State.SEALING);
                active.put(file.id(), file);
                taken.add(file);
            }
        }
        departures.end();
        return taken;
    }
}
