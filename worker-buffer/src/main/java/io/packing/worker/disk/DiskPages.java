package io.packing.worker.disk;

import io.packing.blob.BlobName;
import io.packing.blob.ExtentCodec;
import io.packing.durable.DirectoryLock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pages of blobs on the local disk, for as many bytes as it may take. Pages are appended to segments; when the bytes are used up,
 * the oldest segment is deleted, and every page in it with it (first in, first out). What is in which segment is kept in memory,
 * about 100 bytes a page, and is read from the segments' footers at a start.
 *
 * <p>Nothing depends on it. A page is checked when it is read, and one that is not what was written is none. A page that cannot be
 * queued for the disk at once is not written. When the disk takes no page, because it is full or broken, the tier is off until
 * the process starts again: it says so once, gives its space back, and knows no page. Nothing is forced to the disk: after a loss
 * of power the checksums tell what is there.
 *
 * <p>Thread-safe, but one thread steps.
 */
public final class DiskPages implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DiskPages.class);
    private static final String LOCK = "LOCK";
    /** 32 MB that wait to be written: four of the largest windows that are fetched. */
    static final int MOST_WAITING = 128;

    private static final int SEGMENTS = 16;
    private static final long LARGEST_SEGMENT = 64L << 20;

    /** What a search for a page ends with. */
    public sealed interface Search {
        /** The page as it was written. */
        record Found(ByteBuffer bytes) implements Search {}

        /** It is not there. */
        record Absent() implements Search {}

        /** It was there, but is not what was written; it is removed. */
        record Damaged() implements Search {}
    }

    private static final Search ABSENT = new Search.Absent();

    /** Where a page is: in which segment, and its header's offset and the bytes of header and page. */
    private record Location(PageSegment segment, int offset, int bytes) {}

    /** A page on its way to the disk; not equal to a later one of its name. */
    private static final class Waiting {
        final BlobPage page;
        final ByteBuffer bytes;

        Waiting(BlobPage page, ByteBuffer bytes) {
            this.page = page;
            this.bytes = bytes;
        }
    }

    private final Path directory;
    private final long mostBytes;
    private final long segmentBytes;
    private final DirectoryLock lock;
    private final ConcurrentMap<BlobPage, Location> index = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    /** Oldest first; without the one that is written to. Confined to the thread that steps. */
    private final Deque<PageSegment> sealed = new ArrayDeque<>();
    /** Pages to be written, in their order; the first may be under way. Guarded by this. */
    private final Map<BlobPage, Waiting> waiting = new LinkedHashMap<>();

    private Optional<PageAppender> open = Optional.empty();
    private long nextNumber;
    private boolean closing;
    private volatile boolean off;

    private DiskPages(Path directory, long mostBytes, long segmentBytes, DirectoryLock lock) {
        this.directory = directory;
        this.mostBytes = mostBytes;
        this.segmentBytes = segmentBytes;
        this.lock = lock;
    }

    /**
     * Takes a directory, made when there is none, with the pages that an earlier process left there.
     *
     * @param mostBytes that the files in it may have, at least a few megabytes
     * @throws IOException when the directory is somebody else's, or cannot be written
     */
    public static DiskPages open(Path directory, long mostBytes) throws IOException {
        return open(directory, mostBytes, Math.min(LARGEST_SEGMENT, mostBytes / SEGMENTS));
    }

    static DiskPages open(Path directory, long mostBytes, long segmentBytes) throws IOException {
        createPrivate(directory);
        DirectoryLock lock = DirectoryLock.acquire(directory, LOCK);
        DiskPages pages = new DiskPages(directory, mostBytes, segmentBytes, lock);
        try {
            pages.load();
            return pages;
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /** Users' bytes: nobody else may read them where the file system knows of others. */
    private static void createPrivate(Path directory) throws IOException {
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try {
            if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.createDirectory(
                        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } else {
                Files.createDirectory(directory);
            }
        } catch (FileAlreadyExistsException e) {
            LOG.debug("{} is there", directory);
        }
    }

    private void load() throws IOException {
        Map<Long, Path> found = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            files.forEach(file -> PageSegment.number(file).ifPresent(number -> found.put(number, file)));
        }
        // One name for all pages of a blob.
        Map<BlobName, BlobName> names = new HashMap<>();
        for (Map.Entry<Long, Path> each : found.entrySet()) {
            PageSegment segment = PageSegment.of(each.getValue());
            nextNumber = each.getKey() + 1;
            try {
                for (PageSegment.Found page : segment.load()) {
                    add(segment, page, names);
                }
            } catch (IOException e) {
                LOG.warn("{} cannot be read, and is deleted", segment, e);
                segment.pages().clear();
            }
            if (segment.pages().isEmpty()) {
                remove(segment);
            } else {
                bytes.addAndGet(segment.bytes());
                sealed.addLast(segment);
            }
        }
        evict(0);
        LOG.info("{}: {} pages in {} bytes of at most {}", directory, index.size(), bytes, mostBytes);
    }

    private void add(PageSegment segment, PageSegment.Found found, Map<BlobName, BlobName> names) {
        PageHeader header = found.header();
        if (header.live()) {
            BlobName name = names.computeIfAbsent(header.page().blob(), blob -> blob);
            BlobPage page = new BlobPage(name, header.page().number());
            segment.pages().add(page);
            index.put(page, new Location(segment, Math.toIntExact(found.offset()), header.recordBytes()));
        }
    }

    /** Deletes the oldest segments until so many bytes may be added. */
    private void evict(long more) throws IOException {
        while (!sealed.isEmpty() && bytes.get() + more > mostBytes) {
            PageSegment oldest = sealed.removeFirst();
            remove(oldest);
            bytes.addAndGet(-oldest.bytes());
        }
    }

    private void remove(PageSegment segment) throws IOException {
        for (BlobPage page : segment.pages()) {
            index.computeIfPresent(page, (key, at) -> at.segment() == segment ? null : at);
        }
        segment.delete();
    }

    /** Bytes of its files. */
    public long bytes() {
        return bytes.get();
    }

    /** Whether it takes and gives no pages any more. */
    public boolean isOff() {
        return off;
    }

    /** Whether a page is there, as far as one knows who has not read it. */
    public boolean contains(BlobPage page) {
        return index.containsKey(page);
    }

    /** Looks for a page and reads it. */
    public Search read(BlobPage page) {
        Location at = index.get(page);
        if (at == null) {
            return ABSENT;
        }
        try {
            Optional<ByteBuffer> record = at.segment().read(at.offset(), at.bytes());
            if (record.isEmpty()) {
                index.remove(page, at);
                return ABSENT;
            }
            return checked(page, at, record.get());
        } catch (ClosedByInterruptException e) {
            // The reader's matter; its request to the store ends the same way.
            return ABSENT;
        } catch (IOException e) {
            LOG.warn("{}: page {} of {} cannot be read", at.segment(), page.number(), page.blob(), e);
            index.remove(page, at);
            return new Search.Damaged();
        }
    }

    private Search checked(BlobPage page, Location at, ByteBuffer record) {
        Optional<PageHeader> header = PageHeader.decode(record);
        if (header.isPresent()
                && header.get().page().equals(page)
                && header.get().length() == record.remaining()
                && header.get().crc32c() == ExtentCodec.crc32c(record)) {
            if (header.get().live()) {
                return new Search.Found(record.slice());
            }
            index.remove(page, at);
            return ABSENT;
        }
        if (index.remove(page, at)) {
            LOG.warn("{}: page {} of {} is damaged, and is removed", at.segment(), page.number(), page.blob());
            bury(at.segment(), at.offset());
        }
        return new Search.Damaged();
    }

    private static void bury(PageSegment segment, long offset) {
        try {
            segment.bury(offset);
        } catch (IOException e) {
            // After a restart it may be found damaged once more.
            LOG.debug("{}: the page at {} is not marked", segment, offset, e);
        }
    }

    /**
     * Takes a page to be written soon, if there is room for it now. The bytes must stay as they are.
     *
     * @return false when too many pages wait
     */
    public synchronized boolean offer(BlobPage page, ByteBuffer pageBytes) {
        if (off || closing || index.containsKey(page) || waiting.containsKey(page)) {
            return true;
        }
        if (waiting.size() >= MOST_WAITING) {
            return false;
        }
        waiting.put(page, new Waiting(page, pageBytes));
        notifyAll();
        return true;
    }

    /** Removes a page, also one that waits to be written. */
    public void forget(BlobPage page) {
        Location at;
        synchronized (this) {
            waiting.remove(page);
            at = index.remove(page);
        }
        if (at != null) {
            bury(at.segment(), at.offset());
        }
    }

    private synchronized Optional<Waiting> next() {
        return waiting.values().stream().findFirst();
    }

    /** Waits until a page waits to be written; false when none will. */
    public synchronized boolean awaitWork() throws InterruptedException {
        while (waiting.isEmpty() && !closing && !off) {
            wait();
        }
        return !waiting.isEmpty() && !off;
    }

    /** Writes at most one page; returns whether there was one. */
    public boolean step() {
        Optional<Waiting> next = next();
        if (next.isEmpty() || off) {
            return false;
        }
        try {
            write(next.get());
        } catch (IOException | RuntimeException | Error e) {
            // An error as well: whatever it is, the reads go on without the disk.
            turnOff(e);
        }
        return true;
    }

    private void write(Waiting next) throws IOException {
        BlobPage page = next.page;
        PageHeader header = PageHeader.of(page, next.bytes);
        if (open.isPresent() && !open.get().fits(header, segmentBytes)) {
            seal();
        }
        if (open.isEmpty()) {
            evict(segmentBytes);
            open = Optional.of(PageAppender.create(PageSegment.create(directory, nextNumber++)));
        }
        PageAppender appender = open.get();
        PageSegment segment = appender.segment();
        long offset = appender.append(header, next.bytes);
        bytes.addAndGet(header.recordBytes());
        boolean wanted;
        synchronized (this) {
            wanted = waiting.remove(page, next);
            if (wanted) {
                index.put(page, new Location(segment, Math.toIntExact(offset), header.recordBytes()));
            }
        }
        if (!wanted) {
            // It was damaged before it came here, as somebody found out meanwhile.
            bury(segment, offset);
        }
    }

    private void seal() throws IOException {
        PageAppender appender = open.orElseThrow();
        open = Optional.empty();
        long before = appender.segment().bytes();
        appender.seal();
        bytes.addAndGet(appender.segment().bytes() - before);
        sealed.addLast(appender.segment());
    }

    private void turnOff(Throwable why) {
        synchronized (this) {
            off = true;
            waiting.clear();
            notifyAll();
        }
        index.clear();
        LOG.warn(
                "the read cache in {} is off until this process starts again, and reads go to the store: free some space or repair the disk",
                directory,
                why);
        try {
            if (open.isPresent()) {
                open.get().close();
                open.get().segment().delete();
            }
            for (PageSegment segment : List.copyOf(sealed)) {
                segment.delete();
            }
            bytes.set(0);
        } catch (IOException e) {
            LOG.debug("{}: the next start uses what is left", directory, e);
        }
        open = Optional.empty();
        sealed.clear();
    }

    @Override
    public String toString() {
        return directory.toString();
    }

    /** Ends: pages that wait are still written by who steps, and no more are taken. */
    public synchronized void end() {
        closing = true;
        notifyAll();
    }

    /** Writes what waits, and gives the directory back; nobody steps any more. */
    @Override
    public void close() throws IOException {
        end();
        while (step()) {
            // Until nothing waits.
        }
        try {
            if (open.isPresent()) {
                seal();
            }
        } catch (IOException e) {
            LOG.debug("{}: the next start reads what was written page by page", directory, e);
        } finally {
            off = true;
            index.clear();
            lock.close();
        }
    }
}
