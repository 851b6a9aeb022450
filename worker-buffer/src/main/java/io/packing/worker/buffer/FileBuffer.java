package io.packing.worker.buffer;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.Durability;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.Reclaim;
import io.packing.blob.BlobExtent;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.sorted.DiskFullException;
import io.packing.sorted.SortedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * All files that a mount's worker holds, and the segments their bytes are in. Thread-safe: one lock guards the states;
 * bytes are written by the {@link Appender} and read without the lock.
 */
public final class FileBuffer implements AutoCloseable {
    private static final String SUFFIX = ".segment";
    private static final String DEDICATED = ".slices";
    private static final long MIN_FREE_DISK_BYTES = 64L << 20;
    private static final long ASK_DISK_EVERY_BYTES = 4L << 20;

    /**
     * How much a buffer holds and when it gives up.
     *
     * @param maxBytes at which creators wait
     * @param blobMaxBytes at which a segment is rolled
     * @param sealAfter age at which it is rolled
     * @param fullTimeout how long a creator waits when nothing leaves the buffer
     */
    public record Limits(
            long maxBytes,
            long blobMaxBytes,
            long sealIdleBytes,
            Duration sealAfter,
            Duration fullTimeout,
            Durability durability) {}

    private final Path directory;
    private final Limits limits;
    private final LongSupplier nanoTime;
    private final BufferIndex index;
    private final Map<Long, BufferedFile> files = new HashMap<>();
    private final List<Segment> segments = new ArrayList<>();
    private long nextSegment;
    private long bufferedBytes;
    private long releases;
    private long diskAllowance;
    private boolean rollRequested;
    private boolean uploadWanted;
    /** Reserved for large files that are not closed: nothing can be pushed to make room for them. */
    private long openLargeBytes;

    private FileBuffer(Path directory, Limits limits, SortedStore store, LongSupplier nanoTime) {
        this.directory = directory;
        this.limits = limits;
        this.nanoTime = nanoTime;
        this.index = new BufferIndex(store);
    }

    /** Opens the buffer, with every complete file that an earlier process left in it. */
    public static FileBuffer open(Path directory, Limits limits, SortedStore store, LongSupplier nanoTime)
            throws IOException {
        Files.createDirectories(directory);
        FileBuffer buffer = new FileBuffer(directory, limits, store, nanoTime);
        buffer.recover();
        return buffer;
    }

    private synchronized void recover() throws IOException {
        List<Path> paths;
        try (Stream<Path> list = Files.list(directory)) {
            paths = list.sorted().toList();
        }
        Map<Long, List<BufferedFile.Part>> slices = new HashMap<>();
        for (Path path : paths) {
            String name = path.getFileName().toString();
            boolean dedicated = name.endsWith(DEDICATED);
            if (!dedicated && !name.endsWith(SUFFIX)) {
                continue;
            }
            nextSegment = Math.max(nextSegment, Long.parseLong(name.substring(0, name.indexOf('.'))) + 1);
            SegmentScan scan = SegmentScan.of(path);
            if (scan.records.isEmpty()) {
                Files.delete(path);
                continue;
            }
            Segment segment = Segment.reopen(path, dedicated, nanoTime.getAsLong(), scan.end);
            segments.add(segment);
            for (SegmentScan.Found found : scan.records) {
                recover(segment, found, slices);
            }
        }
        for (Segment segment : List.copyOf(segments)) {
            dropIfEmpty(segment);
        }
    }

    private void recover(Segment segment, SegmentScan.Found found, Map<Long, List<BufferedFile.Part>> slices)
            throws IOException {
        SegmentRecord record = found.record();
        List<BufferedFile.Part> parts = record.kind() == SegmentRecord.Kind.FILE
                ? new ArrayList<>()
                : slices.computeIfAbsent(record.fileId(), id -> new ArrayList<>());
        record.extentAt(found.at(), found.headerBytes())
                .ifPresent(extent -> parts.add(new BufferedFile.Part(segment, extent)));
        if (record.kind() == SegmentRecord.Kind.SLICE) {
            return;
        }
        BufferedFile file = new BufferedFile(record.fileId(), record.path(), record.attributes());
        long length = parts.stream().mapToLong(part -> part.extent().length()).sum();
        if (length != record.attributes().length()) {
            return;
        }
        file.generation = index.generation(file.id());
        file.parts.addAll(parts);
        file.appended.complete(null);
        files.put(file.id(), file);
        parts.forEach(part -> enter(file, part.segment()));
        enter(file, segment);
        bufferedBytes += file.storedBytes();
    }

    Limits limits() {
        return limits;
    }

    BufferIndex index() {
        return index;
    }

    LongSupplier nanoTime() {
        return nanoTime;
    }

    synchronized Segment newSegment(boolean dedicated) throws IOException {
        Path path = directory.resolve("%012d%s".formatted(nextSegment++, dedicated ? DEDICATED : SUFFIX));
        Segment segment = Segment.create(path, dedicated, nanoTime.getAsLong());
        segments.add(segment);
        return segment;
    }

    /** Makes room for bytes, waiting for pushes while the buffer or the disk is full. */
    void reserve(long bytes) throws IOException {
        synchronized (this) {
            long seen = releases;
            long deadline = nanoTime.getAsLong() + limits.fullTimeout().toNanos();
            while ((bufferedBytes > openLargeBytes && bufferedBytes + bytes > limits.maxBytes())
                    || !diskAdmits(bytes)) {
                rollRequested = true;
                long left = deadline - nanoTime.getAsLong();
                if (releases != seen) {
                    seen = releases;
                    left = limits.fullTimeout().toNanos();
                    deadline = nanoTime.getAsLong() + left;
                }
                if (left <= 0) {
                    throw new DiskFullException(
                            "%s: full with %d bytes buffered, and nothing left it for %s: free some space, raise"
                                            .formatted(directory, bufferedBytes, limits.fullTimeout())
                                    + " packing.buffer.max.bytes, or check that the backing store is reachable");
                }
                try {
                    TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, 1_000_000));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new java.io.InterruptedIOException("interrupted while the buffer is full");
                }
            }
            bufferedBytes += bytes;
        }
    }

    private boolean diskAdmits(long bytes) throws IOException {
        if (diskAllowance < bytes) {
            long spare = Files.getFileStore(directory).getUsableSpace() - MIN_FREE_DISK_BYTES - bytes;
            if (spare < 0) {
                return false;
            }
            diskAllowance = bytes + Math.min(ASK_DISK_EVERY_BYTES, spare / 2);
        }
        diskAllowance -= bytes;
        return true;
    }

    synchronized void unreserve(long bytes) {
        bufferedBytes -= bytes;
        releases++;
        notifyAll();
    }

    /** Room for a part of a large file, which cannot be pushed before the whole file is closed. */
    void reserveLarge(long bytes) throws IOException {
        reserve(bytes);
        synchronized (this) {
            openLargeBytes += bytes;
        }
    }

    /** A large file is closed or given up. */
    synchronized void largeEnded(long bytes) {
        openLargeBytes -= bytes;
    }

    /** Makes a file known; its claim is under way until it is granted, dropped or doubted. */
    synchronized void add(BufferedFile file) {
        file.claiming = true;
        files.put(file.id(), file);
    }

    /** It is not known whether the claim was granted: the next heartbeat asks the master. */
    public synchronized void doubt(BufferedFile file) {
        file.claiming = false;
    }

    private static void enter(BufferedFile file, Segment segment) {
        if (file.segments.add(segment)) {
            segment.files.add(file);
            if (file.state == BufferedFile.State.PENDING) {
                segment.pending++;
            }
        }
    }

    private void leavePending(BufferedFile file, BufferedFile.State next) {
        if (file.state == BufferedFile.State.PENDING) {
            file.segments.forEach(segment -> segment.pending--);
        }
        file.state = next;
    }

    synchronized void placed(BufferedFile file, Segment segment, Optional<Extent> extent) {
        enter(file, segment);
        extent.ifPresent(at -> file.parts.add(new BufferedFile.Part(segment, at)));
        if (file.state == BufferedFile.State.GONE) {
            // Dropped before its bytes were placed: their room is given back only now.
            file.segments.remove(segment);
            segment.files.remove(file);
            dropIfEmpty(segment);
            unreserve(extent.map(Extent::storedLength).orElse(0));
        }
    }

    synchronized void rolled(Segment segment) {
        segment.rolled = true;
        dropIfEmpty(segment);
        notifyAll();
    }

    /** The claim was granted: the file may be packed from now on. */
    public synchronized void granted(BufferedFile file, long generation) {
        file.generation = generation;
        file.claiming = false;
        if (file.state == BufferedFile.State.PENDING) {
            leavePending(file, BufferedFile.State.LIVE);
            index.put(file.id(), generation);
        }
    }

    public synchronized Optional<BufferedFile> find(long fileId) {
        return Optional.ofNullable(files.get(fileId));
    }

    /** Where the bytes of a file are; empty when it is gone. */
    public synchronized Optional<List<BufferedFile.Part>> parts(BufferedFile file) {
        return file.state == BufferedFile.State.GONE ? Optional.empty() : Optional.of(List.copyOf(file.parts));
    }

    /** The file is not needed any more: committed, deleted, overwritten or refused. */
    public synchronized void drop(BufferedFile file) {
        if (file.state == BufferedFile.State.GONE) {
            return;
        }
        leavePending(file, BufferedFile.State.GONE);
        files.remove(file.id());
        index.remove(file.id());
        for (Segment segment : file.segments) {
            segment.files.remove(file);
            dropIfEmpty(segment);
        }
        file.segments.clear();
        unreserve(file.storedBytes());
        file.committed.complete(null);
    }

    private void dropIfEmpty(Segment segment) {
        if (segment.rolled && !segment.sealing && segment.files.isEmpty() && segments.remove(segment)) {
            try {
                segment.delete();
            } catch (IOException e) {
                // The next start finds the file, and the master says that nobody needs it.
                System.getLogger(FileBuffer.class.getName())
                        .log(System.Logger.Level.WARNING, "cannot delete " + segment.path(), e);
            }
        }
    }

    /** Waits until there may be something to pack, and not longer than so. */
    @SuppressWarnings("WaitNotInLoop") // The caller's loop looks for work itself; waking early is harmless.
    public synchronized void awaitWork(long millis) throws InterruptedException {
        wait(millis);
    }

    /** A rolled segment to make a blob of as it is; each is given out once. */
    public synchronized Optional<Segment> takeSegment(boolean dedicatedOnly) {
        for (Segment segment : segments) {
            boolean ready =
                    segment.rolled && !segment.sealing && !segment.sealed && (segment.dedicated() || !dedicatedOnly);
            if (ready
                    && segment.pending == 0
                    && segment.files.stream().anyMatch(f -> f.state == BufferedFile.State.LIVE)) {
                segment.sealing = true;
                return Optional.of(segment);
            }
        }
        return Optional.empty();
    }

    /** The files of a taken segment that are worth packing. */
    public synchronized List<BufferedFile> living(Segment segment) {
        return segment.files.stream()
                .filter(file -> file.state == BufferedFile.State.LIVE)
                .toList();
    }

    /** Files of rolled segments in an order, at most so many bytes of them; each is given out once. */
    public synchronized List<BufferedFile> takeFiles(Comparator<BufferedFile> order, long maxBytes) {
        List<BufferedFile> candidates = segments.stream()
                .filter(segment -> segment.rolled && !segment.dedicated())
                .flatMap(segment -> segment.files.stream())
                .filter(file -> file.state == BufferedFile.State.LIVE)
                .sorted(order)
                .toList();
        List<BufferedFile> taken = new ArrayList<>();
        long bytes = 0;
        for (BufferedFile file : candidates) {
            bytes += file.storedBytes();
            if (!taken.isEmpty() && bytes > maxBytes) {
                break;
            }
            file.state = BufferedFile.State.SEALING;
            taken.add(file);
        }
        return taken;
    }

    public static Comparator<BufferedFile> by(Comparator<io.packing.worker.policy.Candidate> order) {
        return Comparator.comparing(BufferedFile::candidate, order);
    }

    /** Gives taken files back, after a failure. */
    public synchronized void giveBack(Collection<BufferedFile> taken) {
        for (BufferedFile file : taken) {
            if (file.state == BufferedFile.State.SEALING) {
                file.state = BufferedFile.State.LIVE;
            }
        }
    }

    /** The bytes of a file do not match their checksum any more. */
    public synchronized void damaged(BufferedFile file) {
        if (file.state == BufferedFile.State.LIVE) {
            file.state = BufferedFile.State.DAMAGED;
        }
    }

    /** A taken segment's blob is pushed, or pushing it failed and it stays. */
    public synchronized void release(Segment segment, boolean again) {
        segment.sealing = false;
        segment.sealed = !again;
        dropIfEmpty(segment);
    }

    /** What the master is to be told after a push. */
    public record Report(List<PushedBlob> blobs, List<CommittedFile> files) {}

    /**
     * Notes where a blob has the files' extents; returns those whose every extent is pushed now. The blobs of a large
     * file are reported with its last one: the master takes a reported blob's files as settled.
     */
    public synchronized Report pushed(PushedBlob blob, Map<BufferedFile, List<Extent>> placed) {
        List<CommittedFile> complete = new ArrayList<>();
        List<PushedBlob> blobs = new ArrayList<>();
        blobs.add(blob);
        placed.forEach((file, extents) -> {
            extents.forEach(extent -> file.pushed.put(extent.fileOffset(), new BlobExtent(blob.name(), extent)));
            boolean all = file.pushed.size() == file.parts.size();
            if (file.state == BufferedFile.State.GONE) {
                return;
            }
            if (all) {
                file.state = BufferedFile.State.PUSHED;
                blobs.addAll(0, file.heldBlobs);
                complete.add(new CommittedFile(file.version(), file.pushedExtents()));
            } else {
                blobs.remove(blob);
                file.heldBlobs.add(blob);
            }
        });
        return new Report(blobs, complete);
    }

    /** After a restart: a commit that an earlier process could not send. The file is not packed again. */
    public synchronized void alreadyPushed(CommittedFile commit) {
        BufferedFile file = files.get(commit.version().id());
        if (file != null) {
            file.generation = commit.version().generation();
            leavePending(file, BufferedFile.State.PUSHED);
        }
    }

    /** What to ask the master about after a new registration: everything but the claims that are under way. */
    public synchronized List<Reclaim> reclaims() {
        return reclaims(file -> true);
    }

    /** Files of which it is not known whether they were granted. */
    public synchronized List<Reclaim> doubts() {
        return reclaims(file -> file.state == BufferedFile.State.PENDING);
    }

    private List<Reclaim> reclaims(Predicate<BufferedFile> wanted) {
        return files.values().stream()
                .filter(file -> !file.claiming && file.appended.isDone() && wanted.test(file))
                .map(file -> new Reclaim(file.version(), file.path(), file.attributes()))
                .toList();
    }

    /** The master's answer to a reclaim. */
    public synchronized void reclaimed(long fileId, Optional<FileVersion> keep) {
        BufferedFile file = files.get(fileId);
        if (file == null) {
            return;
        }
        if (keep.isEmpty()) {
            drop(file);
        } else {
            granted(file, keep.get().generation());
        }
    }

    /** Asks for everything appended so far to be sealed. */
    public synchronized void requestRoll() {
        rollRequested = true;
    }

    /** Asks for it as soon as no push is under way, so that those who wait for an upload share one. */
    public synchronized void requestUpload() {
        uploadWanted = true;
    }

    synchronized boolean shouldRoll(Segment segment) {
        boolean empty = segment.position() <= io.packing.blob.BlobHeader.SIZE;
        boolean old = nanoTime.getAsLong() - segment.openedNanos()
                >= limits.sealAfter().toNanos();
        // Whoever finds the way to the store free need not wait for company: a later blob costs no more than this one.
        boolean early = uploadWanted || (limits.sealIdleBytes() > 0 && segment.position() >= limits.sealIdleBytes());
        boolean idle = early && segments.stream().noneMatch(each -> each.rolled && !each.sealed);
        boolean roll = !empty && (rollRequested || idle || old || segment.position() >= limits.blobMaxBytes());
        if (roll || empty) {
            rollRequested = false;
            uploadWanted = false;
        }
        return roll;
    }

    public synchronized List<BufferedFile> snapshot() {
        return List.copyOf(files.values());
    }

    public synchronized long bufferedBytes() {
        return bufferedBytes;
    }

    public synchronized long bufferedFiles() {
        return files.size();
    }

    BufferedFile newFile(long id, FilePath path, FileAttributes attributes) {
        return new BufferedFile(id, path, attributes);
    }

    @Override
    public synchronized void close() throws IOException {
        index.flush();
        for (Segment segment : segments) {
            segment.channel().close();
        }
        segments.clear();
    }
}
