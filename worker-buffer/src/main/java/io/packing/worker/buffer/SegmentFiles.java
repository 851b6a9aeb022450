// SPDX-License-Identifier: Apache-2.0
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
 * The files of a buffer's segments. Files that no segment needs stay spare for a while, and new segments write over
 * them: pages in memory cost less than new ones. Thread-safe; makes no call to other classes' locks.
 */
final class SegmentFiles {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentFiles.class);
    private static final String SPARE = ".spare";
    /** The most spare files: a segment writes over one while the next is packed. */
    static final int MOST_SPARES = 2;

    static final long SPARE_NANOS = 60_000_000_000L;
    /** The free space of the disk below which no file stays spare. */
    static final long AMPLE_DISK_BYTES = 1L << 30;

    private record Spare(Path path, long sinceNanos) {}

    private final Path directory;
    private final BufferSpace.FreeSpace free;
    private final LongSupplier nanoTime;
    private final IntSupplier random;
    /** The spare files, oldest first. */
    private final Deque<Spare> spares = new ArrayDeque<>();

    private long names;

    /** @param random numbers that no other process can foresee */
    SegmentFiles(Path directory, BufferSpace.FreeSpace free, LongSupplier nanoTime, IntSupplier random) {
        this.directory = directory;
        this.free = free;
        this.nanoTime = nanoTime;
        this.random = random;
    }

    /** Returns the start of a new or overwritten file. */
    SegmentStart newStart() {
        return SegmentStart.random(random);
    }

    /** Deletes the spare files of an earlier process. */
    void start() throws IOException {
        try (Stream<Path> list = Files.list(directory)) {
            List<Path> left =
                    list.filter(path -> path.toString().endsWith(SPARE)).toList();
            for (Path path : left) {
                Files.delete(path);
            }
        }
    }

    /** Opens a file of a new name; it may have old bytes. */
    synchronized FileChannel open(Path path) throws IOException {
        Spare spare = spares.pollLast();
        if (spare == null) {
            return OwnerOnly.open(
                    path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        }
        Files.move(spare.path(), path, StandardCopyOption.ATOMIC_MOVE);
        return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** Takes the file of a segment that no file needs; its name is gone afterwards. */
    synchronized void retire(Path path) throws IOException {
        if (spares.size() >= MOST_SPARES || free.usableBytes() < AMPLE_DISK_BYTES) {
            Files.deleteIfExists(path);
            return;
        }
        Path spare = directory.resolve(names++ + SPARE);
        Files.move(path, spare, StandardCopyOption.ATOMIC_MOVE);
        spares.addLast(new Spare(spare, nanoTime.getAsLong()));
    }

    /** Deletes the files that have been spare for long. */
    synchronized void expire() {
        long now = nanoTime.getAsLong();
        while (!spares.isEmpty() && now - spares.getFirst().sinceNanos() >= SPARE_NANOS) {
            delete(spares.removeFirst());
        }
    }

    /** Returns the free bytes of the disk; deletes the spare files when they are few. */
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
