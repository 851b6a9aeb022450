// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.bdt.PushedBlob;
import io.packing.blob.Extent;
import io.packing.worker.policy.Candidate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The choice of the files that become the next blob; it gives each out once, and takes back those that were not pushed.
 * It lists rows without the buffer's lock, so that a long listing holds up no other thread. It leaves out files that
 * went meanwhile. Thread-safe.
 */
public final class Selection {
    private final BufferState state;
    private final BufferIndex index;
    private final UploadWaiters uploads;
    /** The lock of choices by an order: two of them must not list one file. */
    private final Object choosing = new Object();

    Selection(BufferState state, BufferIndex index, UploadWaiters uploads) {
        this.state = state;
        this.index = index;
        this.uploads = uploads;
    }

    /** Returns the number of changes to the work that waits. */
    public long changes() {
        return state.changes();
    }

    /** Waits, at most so long, for a change after this number of them. */
    public void awaitWork(long seen, long millis) throws InterruptedException {
        state.awaitChange(seen, millis);
    }

    /** Returns a rolled segment to make a blob of as it is; gives each out once. */
    public Optional<BufferSegment> takeSegment(boolean dedicatedOnly) {
        return state.takeSegment(dedicatedOnly);
    }

    /**
     * Returns the files of a taken segment that are to be packed; small ones are in memory until the segment's release.
     */
    public List<BufferedFile> living(BufferSegment segment) throws IOException {
        return segment.dedicated()
                ? state.livingLarge(segment)
                : state.take(list(state.offered(segment), new ArrayList<>()), segment);
    }

    /** Takes files of rolled segments in an order, at most so many bytes of them; gives each out once. */
    public List<BufferedFile> takeFiles(Comparator<Candidate> order, long maxBytes) throws IOException {
        synchronized (choosing) {
            Optional<OfferedSegments> offered = state.offered();
            if (offered.isEmpty()) {
                return List.of();
            }
            FirstFiles first = new FirstFiles(Comparator.comparing(BufferedFile::candidate, order), maxBytes);
            return state.take(list(offered.get(), first));
        }
    }

    /** Collects the files of segments that have rows and are not in memory; the caller takes them next. */
    private <C extends Collection<BufferedFile>> C list(OfferedSegments offered, C into) throws IOException {
        state.beginListing();
        try {
            index.flush();
            try (BufferIndex.Rows rows = index.rows(offered.from(), offered.to())) {
                for (Optional<FileRow> row = rows.next(); row.isPresent(); row = rows.next()) {
                    state.listed(row.get(), offered).ifPresent(into::add);
                }
            }
            return into;
        } catch (IOException | RuntimeException e) {
            state.endListing();
            throw e;
        }
    }

    /** Gives taken files back, after a failure. */
    public void giveBack(Collection<BufferedFile> taken) {
        state.giveBack(taken);
    }

    /** Notes that the bytes of a file do not match their checksum any more. */
    public void damaged(BufferedFile file) {
        if (state.damaged(file)) {
            uploads.damaged(file);
        }
    }

    /** Takes a segment back, after its blob was pushed or the push failed. */
    public void release(BufferSegment segment, boolean again) {
        state.release(segment, !again);
    }

    /**
     * Notes the places of the files' extents in a blob; returns the files that are pushed completely now, and the blobs
     * of a large file with its last one.
     */
    public PushReport pushed(PushedBlob blob, Map<BufferedFile, List<Extent>> placed) {
        return state.pushed(blob, placed);
    }
}
