package io.packing.worker.buffer;

import io.packing.durable.OwnerOnly;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a buffer's segments. Those that are not needed any more are spare for a while, and new segments write over
 * them: pages that are in memory already cost less than new ones. Thread-safe; calls nobody under its lock.
 */
final class SegmentFiles {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentFiles.class);
    private static final String SPARE = ".spare";
    /** One is written over while the next is packed. */
    static final int MOST_SPARES = 2;

    static final long SPARE_NANOS = 60_000_000_000L;
    /** With less space on the disk no file is spare. */
    static final long AMPLE_DISK_BYTES = 1L << 30;

    private record Spare(Path path, long sinceNanos) {}

    private final Path directory;
    private final BufferSpace.FreeSpace free;
    private final LongSupplier nanoTime;
    private final IntSupplier random;
    /** Oldest first. */
    private final Deque<Spare> spares = new ArrayDeque<>();

    private long names;

    /** @param random numbers that nobody outside can foresee */
    SegmentFiles(Path directory, BufferSpace.FreeSpace free, LongSupplier nanoTime, IntSupplier random) {
        this.directory = directory;
        this.free = free;
        this.nanoTime = nanoTime;
        this.random = random;
    }

    /** The start of a file that is made or written over now. */
    SegmentStart newStart() {
        return SegmentStart.random(random);
    }

    /** Deletes what was spare when an earlier process ended. */
    void start() throws IOException {
        try (Stream<Path> list = Files.list(directory)) {
            List<Path> left =
                    list.filter(path -> path.toString().endsWith(SPARE)).toList();
            for (Path path : left) {
                Files.delete(path);
            }
        }
    }

    /** Opens a file of a new name; anything may stand in it. */
    synchronized FileChannel open(Path path) throws IOException {
        Spare spare = spares.pollLast();
        if (spare == null) {
            return OwnerOnly.open(
                    path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        }
        Files.move(spare.path(), path, StandardCopyOption.ATOMIC_MOVE);
        return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** Takes the file of a segment that nobody needs: its name is gone afterwards. */
    synchronized void retire(Path path) throws IOException {
        if (spares.size() >= MOST_SPARES || free.usableBytes() < AMPLE_DISK_BYTES) {
            Files.deleteIfExists(path);
            return;
        }
        Path spare = directory.resolve(names++ + SPARE);
        Files.move(path, spare, StandardCopyOption.ATOMIC_MOVE);
        spares.addLast(new Spare(spare, nanoTime.getAsLong()));
    }

    /** Deletes what has been spare for long. */
    synchronized void expire() {
        long now = nanoTime.getAsLong();
        while (!spares.isEmpty() && now - spares.getFirst().sinceNanos() >= SPARE_NANOS) {
            delete(spares.removeFirst());
        }
    }

    /** Bytes that can be written to the disk, for which spare files go when they are few. */
    synchronized long usableBytes() throws IOException {
        long usable = free.usableBytes();
        if (usable >= AMPLE_DISK_BYTES || spares.isEmpty()) {
            return usable;
        }
        deleteAll();
        return free.usableBytes();
    }

    synchronized void deleteAll() {
        spares.forEach(SegmentFiles::delete);
        spares.clear();
    }

    private static void delete(Spare spare) {
        try {
            Files.deleteIfExists(spare.path());
        } catch (IOException e) {
            LOG.warn("cannot delete {}; the next start does", spare.path(), e);
        }
    }
}
