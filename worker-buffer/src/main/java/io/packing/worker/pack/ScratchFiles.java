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
 * Files that blobs are copied together in. One that is not needed any more is spare for a while, and the next blob is written over it:
 * pages that are in memory already cost less than new ones. Thread-safe.
 */
public final class ScratchFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ScratchFiles.class);
    /** One is pushed while the next is made. */
    static final int MOST_SPARES = 2;

    static final long SPARE_NANOS = 60_000_000_000L;
    /** Copies that may be made at once in the room that there is. */
    private static final int SHARES = 4;
    /** With less space on the disk no file is spare. */
    static final long AMPLE_DISK_BYTES = 1L << 30;

    /** Where the number of free bytes comes from. */
    interface FreeSpace {
        long usableBytes() throws IOException;
    }

    private record Spare(Path path, long sinceNanos) {}

    private final Path directory;
    private final FreeSpace free;
    private final LongSupplier nanoTime;
    /** Oldest first. */
    private final Deque<Spare> spares = new ArrayDeque<>();

    private volatile boolean anySpare;

    /**
     * @param directory that has nothing else
     * @param keptFreeBytes what must stay free on the disk, or else nothing of a blob can be noted
     */
    public ScratchFiles(Path directory, long keptFreeBytes, LongSupplier nanoTime) {
        this(directory, () -> Files.getFileStore(directory).getUsableSpace() - keptFreeBytes, nanoTime);
    }

    ScratchFiles(Path directory, FreeSpace free, LongSupplier nanoTime) {
        this.directory = directory;
        this.free = free;
        this.nanoTime = nanoTime;
    }

    /** How long the next blob may become; less than nothing: what must stay free is not. */
    long room() throws IOException {
        return free.usableBytes() / SHARES;
    }

    /** A file for a blob; anything may stand in it. */
    synchronized Path take() throws IOException {
        Spare spare = spares.pollLast();
        anySpare = !spares.isEmpty();
        return spare == null ? Files.createTempFile(directory, "packing-", ".blob") : spare.path;
    }

    /** Takes a file back that nobody reads any more. */
    synchronized void giveBack(Path path) throws IOException {
        if (spares.size() >= MOST_SPARES || free.usableBytes() < AMPLE_DISK_BYTES) {
            Files.deleteIfExists(path);
            return;
        }
        spares.addLast(new Spare(path, nanoTime.getAsLong()));
        anySpare = true;
    }

    /** Deletes a file that a request which failed may still be reading: nothing else is to be written over it. */
    void drop(Path path) throws IOException {
        Files.deleteIfExists(path);
    }

    /** Deletes what has been spare for long; all that is spare where the disk has become full. */
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
