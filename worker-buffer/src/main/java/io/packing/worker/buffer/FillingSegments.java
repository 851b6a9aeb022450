// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.blob.Extent;
import io.packing.blob.PackedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The open segment of a buffer, for a packer that sends its bytes while it fills. A packer that began takes the rolled
 * segment's files by {@link Selection#living}, and gives the segment back by {@link Selection#release}. Thread-safe.
 */
public final class FillingSegments {
    /** The most files of a blob. */
    public static final int MOST_FILES = Sealing.MAX_BLOB_FILES;

    private final BufferState state;
    private final BufferIndex index;
    private final LongSupplier nanoTime;
    private Optional<BufferSegment> open = Optional.empty();

    FillingSegments(BufferState state, BufferIndex index, LongSupplier nanoTime) {
        this.state = state;
        this.index = index;
        this.nanoTime = nanoTime;
    }

    /**
     * The size of an open segment.
     *
     * @param bytes that are committed, heads of records included
     * @param fileBytes of files among them
     * @param files that need the segment
     * @param nanos since it was opened
     * @param ended true if it takes no more records
     */
    public record Size(long bytes, long fileBytes, int files, long nanos, boolean ended) {}

    /** Notes a new open segment. */
    synchronized void opened(BufferSegment segment) {
        open = Optional.of(segment);
        notifyAll();
    }

    /** Waits, at most so long, for an open segment in a file that no packer has; may return empty sooner. */
    @SuppressWarnings("WaitNotInLoop") // The caller's loop asks again.
    public Optional<BufferSegment> awaitOpen(long millis) throws InterruptedException {
        synchronized (this) {
            if (open.isEmpty()) {
                wait(millis);
            }
            open = open.filter(segment -> !segment.progress().size().ended());
        }
        return segment();
    }

    private synchronized Optional<BufferSegment> segment() {
        return open.filter(segment -> segment.file().isPresent());
    }

    /** Waits, at most so long, until more than so many bytes of it are committed, or it has ended; may return sooner. */
    public Size awaitBeyond(BufferSegment segment, long bytes, long millis) throws InterruptedException {
        SegmentProgress.Size size = segment.progress().awaitBeyond(bytes, millis);
        int files;
        synchronized (state) {
            files = segment.use().files();
        }
        return new Size(
                size.committed(), size.fileBytes(), files, nanoTime.getAsLong() - segment.openedNanos(), size.ended());
    }

    /** Returns the files in an open segment whose claims were granted. */
    public List<PackedFile> granted(BufferSegment segment) throws IOException {
        long from;
        long to;
        synchronized (state) {
            from = segment.use().minId();
            to = segment.use().maxId();
        }
        List<PackedFile> files = new ArrayList<>();
        if (from > to) {
            return files;
        }
        index.flush();
        try (BufferIndex.Rows rows = index.rows(from, to)) {
            for (Optional<FileRow> row = rows.next(); row.isPresent(); row = rows.next()) {
                if (row.get().segment() == segment.number()) {
                    files.add(packed(row.get()));
                }
            }
        }
        return files;
    }

    private static PackedFile packed(FileRow row) {
        List<Extent> extents = row.parts().stream().map(FileRow.Located::extent).toList();
        return new PackedFile(row.version(), row.path(), row.attributes(), extents);
    }

    /**
     * Takes an open segment, which ends at or before a limit from now on; returns false if it ended, is longer, or
     * another packer has it.
     */
    public boolean take(BufferSegment segment, long limit) {
        synchronized (state) {
            if (!segment.use().isFilling() || !segment.progress().limit(limit)) {
                return false;
            }
            segment.use().seal();
            return true;
        }
    }

    /** Lifts the limit of a segment whose packer gives up. */
    public void giveUp(BufferSegment segment) {
        segment.progress().unlimit();
    }

    /** Waits, at most so long, until the fate of all files of a rolled segment is known; may return false sooner. */
    public boolean awaitSettled(BufferSegment segment, long millis) throws InterruptedException {
        long seen;
        synchronized (state) {
            if (segment.use().isSettled()) {
                return true;
            }
            seen = state.changes();
        }
        state.awaitChange(seen, millis);
        synchronized (state) {
            return segment.use().isSettled();
        }
    }
}
