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
 * Which files of a buffer become the next blob, each given out once, and what became of them. Rows are listed without the
 * buffer's lock, so that a long listing holds up nobody; what went meanwhile is left out when files are taken. Thread-safe.
 */
public final class Selection {
    private final BufferState state;
    private final BufferIndex index;
    private final UploadWaiters uploads;
    /** Two who choose by an order must not list the same files. */
    private final Object choosing = new Object();

    Selection(BufferState state, BufferIndex index, UploadWaiters uploads) {
        this.state = state;
        this.index = index;
        this.uploads = uploads;
    }

    /** How often there came to be something else to pack, or nothing any more. */
    public long changes() {
        return state.changes();
    }

    /** Waits until there may be something to pack that was not there after so many changes, and not longer than so. */
    public void awaitWork(long seen, long millis) throws InterruptedException {
        state.awaitChange(seen, millis);
    }

    /** A rolled segment to make a blob of as it is; each is given out once. */
    public Optional<BufferSegment> takeSegment(boolean dedicatedOnly) {
        return state.takeSegment(dedicatedOnly);
    }

    /** The files of a taken segment that are worth packing; small ones are in memory until it is released. */
    public List<BufferedFile> living(BufferSegment segment) throws IOException {
        return segment.dedicated()
                ? state.livingLarge(segment)
                : state.take(list(state.offered(segment), new ArrayList<>()), segment);
    }

    /** Files of rolled segments in an order, at most so many bytes of them; each is given out once. */
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

    /** Collects the files of segments that have rows and are not in memory; they are taken next. */
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

    /** The bytes of a file do not match their checksum any more. */
    public void damaged(BufferedFile file) {
        if (state.damaged(file)) {
            uploads.damaged(file);
        }
    }

    /** A taken segment's blob is pushed, or pushing it failed and it stays. */
    public void release(BufferSegment segment, boolean again) {
        state.release(segment, !again);
    }

    /**
     * Notes where a blob has the files' extents; returns those whose every extent is pushed now, and the blobs of a large
     * file with its last one.
     */
    public PushReport pushed(PushedBlob blob, Map<BufferedFile, List<Extent>> placed) {
        return state.pushed(blob, placed);
    }
}
