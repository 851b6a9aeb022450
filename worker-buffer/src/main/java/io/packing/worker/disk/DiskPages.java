// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.disk;

import io.packing.blob.ExtentCodec;
import io.packing.durable.DirectoryLock;
import io.packing.durable.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache of blobs' pages on the local disk, of a limited size. It appends pages to segments. At the limit it deletes
 * the oldest segment with all its pages (first in, first out). Memory holds the place of each page, about 100 bytes a
 * page; a start reads the places from the segments' footers.
 *
 * <p>It only saves requests. A read checks the page, and drops one with damaged bytes. It drops a page for which the
 * queue of the disk is full. When the disk takes no page, because it is full or broken, the tier is off until the
 * process starts again. It warns once, frees its space, and has no page. It syncs no page: after a loss of power the
 * checksums find the whole ones.
 *
 * <p>Thread-safe, but one thread steps.
 */
public final class DiskPages implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DiskPages.class);
    private static final String LOCK = "LOCK";
    /** The most pages in the queue: 32 MB, four of the largest windows of a fetch. */
    static final int MOST_WAITING = 128;

    private static final int SEGMENTS = 16;
    private static final long LARGEST_SEGMENT = 64L << 20;

    /** The result of a search for a page. */
    public sealed interface Search {
        /** The page as it was written. */
        record Found(ByteBuffer bytes) implements Search {}

        /** The cache does not have the page. */
        record Absent() implements Search {}

        /** The page's bytes were damaged; the cache has removed it. */
        record Damaged() implements Search {}
    }

    private static final Search ABSENT = new Search.Absent();

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
    private final DirectoryLock lock;
    private final PageSegments segments;
    private final ConcurrentMap<BlobPage, PageSegments.Location> index = new ConcurrentHashMap<>();
    /** The pages to write, in order; the first one may be under way. Guarded by this. */
    private final Map<BlobPage, Waiting> waiting = new LinkedHashMap<>();

    /** The number of failed reads: a broken disk fails them all, and only the first is logged as a warning. */
    private final AtomicLong unreadable = new AtomicLong();

    private boolean closing;
    private volatile boolean off;

    private DiskPages(Path directory, long mostBytes, long segmentBytes, DirectoryLock lock) {
        this.directory = directory;
        this.lock = lock;
        this.segments = new PageSegments(directory, mostBytes, segmentBytes, new PageSegments.Listener() {
            @Override
            public void found(BlobPage page, PageSegments.Location at) {
                index.put(page, at);
            }

            @Override
            public void leaving(PageSegment segment) {
                for (BlobPage page : segment.pages()) {
                    index.computeIfPresent(page, (key, at) -> at.segment() == segment ? null : at);
                }
            }
        });
    }

    /**
     * Opens a directory, and makes it if it is missing, with the pages that an earlier process left there.
     *
     * @param mostBytes of all its files, at least a few megabytes
     * @throws IOException when another process has the directory, or it cannot be written
     */
    public static DiskPages open(Path directory, long mostBytes) throws IOException {
        return open(directory, mostBytes, Math.min(LARGEST_SEGMENT, mostBytes / SEGMENTS));
    }

    static DiskPages open(Path directory, long mostBytes, long segmentBytes) throws IOException {
        Path unused = OwnerOnly.directory(directory);
        DirectoryLock lock = DirectoryLock.acquire(directory, LOCK);
        DiskPages pages = new DiskPages(directory, mostBytes, segmentBytes, lock);
        try {
            pages.segments.load();
            LOG.info("{}: {} pages in {} of at most {} bytes", directory, pages.index.size(), pages.bytes(), mostBytes);
            return pages;
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /** Returns the bytes of its files. */
    public long bytes() {
        return segments.bytes();
    }

    /** Returns whether it takes and gives no pages any more. */
    public boolean isOff() {
        return off;
    }

    /** Returns whether the index has the page, without a check of its bytes. */
    public boolean contains(BlobPage page) {
        return index.containsKey(page);
    }

    /** Looks for a page and reads it. */
    public Search read(BlobPage page) {
        PageSegments.Location at = index.get(page);
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
            // The interrupt is the reader's; its request to the store ends too.
            return ABSENT;
        } catch (IOException e) {
            index.remove(page, at);
            if (unreadable.getAndIncrement() == 0) {
                LOG.warn("{}: a page cannot be read, and is fetched; look at the disk", at.segment(), e);
            } else {
                LOG.debug("{}: page {} of {} cannot be read", at.segment(), page.number(), page.blob(), e);
            }
            return new Search.Damaged();
        }
    }

    private Search checked(BlobPage page, PageSegments.Location at, ByteBuffer record) {
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
            // After a restart a read may find it damaged once more.
            LOG.debug("{}: the page at {} is not marked", segment, offset, e);
        }
    }

    /**
     * Queues a page to be written soon, if the queue has room now. The caller must not change the bytes.
     *
     * @return false when the queue is full
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
        PageSegments.Location at;
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

    /** Waits for a page in the queue; returns false when none comes any more. */
    public synchronized boolean awaitWork() throws InterruptedException {
        while (waiting.isEmpty() && !closing && !off) {
            wait();
        }
        return !waiting.isEmpty() && !off;
    }

    /** Writes at most one page; returns true if the queue had one. */
    public boolean step() {
        Optional<Waiting> next = next();
        if (next.isEmpty() || off) {
            return false;
        }
        try {
            write(next.get());
        } catch (IOException | RuntimeException | Error e) {
            // Catch an error as well: reads go on without the disk after any failure.
            turnOff(e);
        }
        return true;
    }

    private void write(Waiting next) throws IOException {
        BlobPage page = next.page;
        PageSegments.Location at = segments.append(PageHeader.of(page, next.bytes), next.bytes);
        boolean wanted;
        synchronized (this) {
            wanted = waiting.remove(page, next);
            if (wanted) {
                index.put(page, at);
            }
        }
        if (!wanted) {
            // A reader found the page damaged while it was in the queue.
            bury(at.segment(), at.offset());
        }
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
            segments.deleteAll();
        } catch (IOException e) {
            LOG.debug("{}: the next start uses what is left", directory, e);
        }
    }

    @Override
    public String toString() {
        return directory.toString();
    }

    /** Takes no more pages; the stepping thread still writes the queue. */
    public synchronized void end() {
        closing = true;
        notifyAll();
    }

    /** Writes the queue and releases the directory, after the last step. */
    @Override
    public void close() throws IOException {
        end();
        while (step()) {
            // Until the queue is empty.
        }
        try {
            segments.seal();
        } catch (IOException e) {
            LOG.debug("{}: the next start reads what was written page by page", directory, e);
        } finally {
            off = true;
            index.clear();
            lock.close();
        }
    }
}
