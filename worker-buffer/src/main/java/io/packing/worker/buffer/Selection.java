package io.packing.worker.buffer;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.PushedBlob;
import io.packing.blob.BlobExtent;
import io.packing.blob.Extent;
import io.packing.worker.policy.Candidate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which files of a buffer become the next blob, each given out once, and what became of them. Rows are listed without the
 * buffer's lock, so that a long listing holds up nobody; what went meanwhile is left out when the lock is taken again. The
 * buffer's lock guards everything else.
 */
public final class Selection {
    private final FileBuffer buffer;
    private final BufferIndex index;
    private final BufferSegments segments;
    private final Map<Long, BufferedFile> active;
    /** Two who choose by an order must not list the same files. */
    private final Object choosing = new Object();
    /** While somebody lists rows without the lock: the files that went meanwhile. */
    private final Set<Long> goneWhileListing = new HashSet<>();

    private int listings;
    private long changes;

    /**
     * @param active files of the buffer that are in memory, by id
     */
    Selection(FileBuffer buffer, BufferIndex index, BufferSegments segments, Map<Long, BufferedFile> active) {
        this.buffer = buffer;
        this.index = index;
        this.segments = segments;
        this.active = active;
    }

    /** How often there came to be something else to pack, or nothing any more. */
    public long changes() {
        synchronized (buffer) {
            return changes;
        }
    }

    /** Waits until there may be something to pack that was not there after so many changes, and not longer than so. */
    @SuppressWarnings("WaitNotInLoop") // The caller's loop looks for work itself; waking early is harmless.
    public void awaitWork(long seen, long millis) throws InterruptedException {
        synchronized (buffer) {
            if (changes == seen) {
                buffer.wait(millis);
            }
        }
    }

    /** Wakes those who wait for work or for its end. Called with the lock. */
    void changed() {
        changes++;
        buffer.notifyAll();
    }

    /** A file is not needed any more. Called with the lock. */
    void gone(long fileId) {
        if (listings > 0) {
            goneWhileListing.add(fileId);
        }
    }

    /** A rolled segment to make a blob of as it is; each is given out once. */
    public Optional<BufferSegment> takeSegment(boolean dedicatedOnly) {
        synchronized (buffer) {
            return segments.take(dedicatedOnly);
        }
    }

    /** The files of a taken segment that are worth packing; small ones are in memory until it is released. */
    public List<BufferedFile> living(BufferSegment segment) throws IOException {
        if (segment.dedicated()) {
            synchronized (buffer) {
                return segment.large.stream()
                        .filter(file -> file.state == BufferedFile.State.LIVE)
                        .toList();
            }
        }
        return small(segment);
    }

    private List<BufferedFile> small(BufferSegment segment) throws IOException {
        List<BufferedFile> listed = list(segment.minId, segment.maxId, Set.of(segment), new ArrayList<>());
        synchronized (buffer) {
            segment.taken.addAll(take(listed));
            return List.copyOf(segment.taken);
        }
    }

    /** Files of rolled segments in an order, at most so many bytes of them; each is given out once. */
    public List<BufferedFile> takeFiles(Comparator<Candidate> order, long maxBytes) throws IOException {
        synchronized (choosing) {
            Set<BufferSegment> ready = new HashSet<>();
            long from = Long.MAX_VALUE;
            long to = 0;
            synchronized (buffer) {
                for (BufferSegment segment : segments.all()) {
                    if (segment.rolled && !segment.dedicated() && segment.count(BufferedFile.State.LIVE) > 0) {
                        ready.add(segment);
                        from = Math.min(from, segment.minId);
                        to = Math.max(to, segment.maxId);
                    }
                }
            }
            if (ready.isEmpty()) {
                return List.of();
            }
            List<BufferedFile> first = List.copyOf(list(
                    from, to, ready, new FirstFiles(Comparator.comparing(BufferedFile::candidate, order), maxBytes)));
            synchronized (buffer) {
                return take(first);
            }
        }
    }

    /** Gives taken files back, after a failure. */
    public void giveBack(Collection<BufferedFile> taken) {
        synchronized (buffer) {
            for (BufferedFile file : taken) {
                if (file.state == BufferedFile.State.SEALING) {
                    file.move(BufferedFile.State.LIVE);
                    active.remove(file.id());
                }
            }
            changed();
        }
    }

    /** The bytes of a file do not match their checksum any more. */
    public void damaged(BufferedFile file) {
        synchronized (buffer) {
            if (file.state == BufferedFile.State.LIVE || file.state == BufferedFile.State.SEALING) {
                file.move(BufferedFile.State.DAMAGED);
                buffer.uploads().damaged(file);
                changed();
            }
        }
    }

    /** A taken segment's blob is pushed, or pushing it failed and it stays. */
    public void release(BufferSegment segment, boolean again) {
        synchronized (buffer) {
            giveBack(segment.taken);
            segment.taken.clear();
            segment.sealing = false;
            segment.sealed = !again;
            segments.dropIfEmpty(segment);
        }
    }

    /** What the master is to be told after a push. */
    public record Report(List<PushedBlob> blobs, List<CommittedFile> files) {}

    /**
     * Notes where a blob has the files' extents; returns those whose every extent is pushed now. The blobs of a large
     * file are reported with its last one: the master takes a reported blob's files as settled.
     */
    public Report pushed(PushedBlob blob, Map<BufferedFile, List<Extent>> placed) {
        synchronized (buffer) {
            List<CommittedFile> complete = new ArrayList<>();
            List<PushedBlob> blobs = new ArrayList<>();
            blobs.add(blob);
            placed.forEach((file, extents) -> {
                if (file.state == BufferedFile.State.GONE) {
                    return;
                }
                extents.forEach(extent -> file.pushed(new BlobExtent(blob.name(), extent)));
                if (file.isPushed()) {
                    file.move(BufferedFile.State.PUSHED);
                    blobs.addAll(0, file.heldBlobs);
                    complete.add(new CommittedFile(file.version(), file.pushedExtents()));
                } else {
                    blobs.remove(blob);
                    file.heldBlobs.add(blob);
                }
            });
            return new Report(blobs, complete);
        }
    }

    /** Collects the files of segments that have rows and are not in memory, without holding up others. */
    private <C extends Collection<BufferedFile>> C list(long from, long to, Set<BufferSegment> of, C into)
            throws IOException {
        synchronized (buffer) {
            listings++;
        }
        try {
            index.flush();
            try (BufferIndex.Rows rows = index.rows(from, to)) {
                for (Optional<FileRow> row = rows.next(); row.isPresent(); row = rows.next()) {
                    add(row.get(), of, into);
                }
            }
            return into;
        } catch (IOException | RuntimeException e) {
            synchronized (buffer) {
                listed();
            }
            throw e;
        }
    }

    private void add(FileRow row, Set<BufferSegment> of, Collection<BufferedFile> into) {
        synchronized (buffer) {
            boolean waits = !active.containsKey(row.id()) && !goneWhileListing.contains(row.id());
            if (waits && segments.find(row.segment()).filter(of::contains).isPresent()) {
                into.add(buffer.inMemory(row));
            }
        }
    }

    /** Takes what was listed and is still there, and ends the listing. */
    private List<BufferedFile> take(List<BufferedFile> listed) {
        List<BufferedFile> taken = new ArrayList<>(listed.size());
        for (BufferedFile file : listed) {
            if (!goneWhileListing.contains(file.id()) && !active.containsKey(file.id())) {
                file.move(BufferedFile.State.SEALING);
                active.put(file.id(), file);
                taken.add(file);
            }
        }
        listed();
        return taken;
    }

    private void listed() {
        listings--;
        if (listings == 0) {
            goneWhileListing.clear();
        }
    }
}
