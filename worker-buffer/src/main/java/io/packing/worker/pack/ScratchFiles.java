// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files in which blobs are copied together. A used file stays spare for a while, and the next blob is written over
 * it: pages in memory cost less than new ones. Thread-safe.
 */
public final class ScratchFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ScratchFiles.class);
    /** The most spare files: one blob is pushed while the next is made. */
    static final int MOST_SPARES = 2;

    static final long SPARE_NANOS = 60_000_000_000L;
    /** The number of concurrent copies that share the free space. */
    private static final int SHARES = 4;
    /** The free space of the disk below which no file stays spare. */
    static final long AMPLE_DISK_BYTES = 1L << 30;

    /** The source of the number of free bytes. */
    interface FreeSpace {
        long usableBytes() throws IOException;
    }

    private record Spare(Path path, long sinceNanos) {}

    private final Path directory;
    private final FreeSpace free;
    private final LongSupplier nanoTime;
    /** The spare files, oldest first. */
    private final Deque<Spare> spares = new ArrayDeque<>();

    private volatile boolean anySpare;

    /**
     * @param directory of these files only
     * @param keptFreeBytes that must stay free on the disk for the notes about a blob
     */
    public ScratchFiles(Path directory, long keptFreeBytes, LongSupplier nanoTime) {
        this(directory, () -> Files.getFileStore(directory).getUsableSpace() - keptFreeBytes, nanoTime);
    }

    ScratchFiles(Path directory, FreeSpace free, LongSupplier nanoTime) {
        this.directory = directory;
        this.free = free;
        this.nanoTime = nanoTime;
    }

    /** Returns the room for the next blob; negative: the disk has less free than it must keep. */
    long room() throws IOException {
        return free.usableBytes() / SHARES;
    }

    /** Returns a file for a blob; it may have old bytes. */
    synchronized Path take() throws IOException {
        Spare spare = spares.pollLast();
        anySpare = !spares.isEmpty();
        return spare == null ? Files.createTempFile(directory, "packing-", ".blob") : spare.path;
    }

    /** Takes back a file that no request reads any more. */
    synchronized void giveBack(Path path) throws IOException {
        if (spares.size() >= MOST_SPARES || free.usableBytes() < AMPLE_DISK_BYTES) {
            Files.deleteIfExists(path);
            return;
        }
        spares.addLast(new Spare(path, nanoTime.getAsLong()));
        anySpare = true;
    }

    /** Deletes a file that a failed request may still read, so that no blob is written over it. */
    void drop(Path path) throws IOException {
        Files.deleteIfExists(path);
    }

    /** Deletes the files that have been spare for long, or all spare ones on a full disk. */
    void tidy() throws IOException {
        if (anySpare) {
            expire();
        }
    }

    private synchronized void expire() throws IOException {
        boolean full = free.usableBytes() < AMPLE_DISK_BYTES;
        long now = nanoTime.getAsLong();
        while (!spares.isEmpty() && (full || now - spares.getFirst().sinceNanos >= SPARE_NANOS)) {
            delete(spares.removeFirst());
        }
        anySpare = !spares.isEmpty();
    }

    @Override
    public synchronized void close() {
        spares.forEach(ScratchFiles::delete);
        spares.clear();
        anySpare = false;
    }

    private static void delete(Spare spare) {
        try {
            Files.deleteIfExists(spare.path);
        } catch (IOException e) {
            LOG.warn("cannot delete {}; the next start does", spare.path, e);
        }
    }
}
