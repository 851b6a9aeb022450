// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The disk of a reader: pages and a thread that writes them, or no disk. Its methods do not fail. Thread-safe. */
public final class DiskTier implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DiskTier.class);
    /** The longest wait of a close for a disk that takes no bytes. */
    private static final long CLOSE_SECONDS = 10;

    /** A tier without a disk. */
    public static final DiskTier NONE = new DiskTier(Optional.empty(), Optional.empty());

    private final Optional<DiskPages> pages;
    private final Optional<Thread> writer;

    private DiskTier(Optional<DiskPages> pages, Optional<Thread> writer) {
        this.pages = pages;
        this.writer = writer;
    }

    /** Opens a directory and starts to write; if it cannot, it warns and returns a tier without a disk. */
    public static DiskTier start(Path directory, long mostBytes) {
        DiskPages pages;
        try {
            pages = DiskPages.open(directory, mostBytes);
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "the read cache in {} is off until this process starts again, and reads go to the store: {}",
                    directory,
                    e.toString());
            return NONE;
        }
        Thread writer = new Thread(() -> write(pages), "packing-read-disk");
        writer.setDaemon(true);
        writer.start();
        return new DiskTier(Optional.of(pages), Optional.of(writer));
    }

    private static void write(DiskPages pages) {
        try {
            while (pages.awaitWork()) {
                boolean unused = pages.step();
            }
        } catch (InterruptedException e) {
            LOG.warn("the thread that writes the read cache was interrupted: no more pages are written");
            pages.end();
        }
    }

    /** Returns whether it has a disk that works. */
    public boolean isOn() {
        return pages.isPresent() && !pages.get().isOff();
    }

    /** Returns whether the index has the page, without a check of its bytes. */
    public boolean contains(BlobPage page) {
        return pages.isPresent() && pages.get().contains(page);
    }

    /** Looks for a page and reads it. */
    public DiskPages.Search read(BlobPage page) {
        return pages.isPresent() ? pages.get().read(page) : new DiskPages.Search.Absent();
    }

    /**
     * Queues a page to be written soon, if the queue has room now. The caller must not change the bytes.
     *
     * @return false when the queue is full
     */
    public boolean offer(BlobPage page, ByteBuffer bytes) {
        return pages.isEmpty() || pages.get().offer(page, bytes);
    }

    /** Removes a page. */
    public void forget(BlobPage page) {
        pages.ifPresent(each -> each.forget(page));
    }

    /** Returns the bytes of its files. */
    public long bytes() {
        return pages.map(DiskPages::bytes).orElse(0L);
    }

    /** Writes the queue and releases the directory. */
    @Override
    public void close() {
        if (pages.isEmpty() || writer.isEmpty()) {
            return;
        }
        pages.get().end();
        try {
            if (!ended(writer.get())) {
                LOG.warn("{}: the disk takes no bytes; its directory stays locked until the process ends", pages.get());
                return;
            }
            pages.get().close();
        } catch (IOException e) {
            LOG.warn("{}: not closed cleanly", pages.get(), e);
        }
    }

    /** Waits for a thread, also after an interrupt; returns true if it ended. */
    private static boolean ended(Thread thread) {
        boolean interrupted = false;
        for (int tries = 0; tries < 2 && thread.isAlive(); tries++) {
            try {
                TimeUnit.SECONDS.timedJoin(thread, CLOSE_SECONDS);
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
