package io.packing.sorted;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Refuses writes before the disk is full: LevelDB maps the files that it writes into memory, and a full disk there is a
 * SIGBUS that ends the JVM. Every write asks the file system, which takes some microseconds: others fill the same disk, and
 * what was free a moment ago may be gone.
 */
final class DiskGuard {
    /** Where the number of free bytes comes from. */
    interface FreeSpace {
        long usableBytes() throws IOException;
    }

    /** A write costs its bytes in the log, again in a table, and again while a compaction holds both. */
    private static final int WRITE_FACTOR = 4;

    private final Path directory;
    private final long keptFreeBytes;
    private final FreeSpace freeSpace;
    private final DiskReserve reserve;

    /**
     * @param keptFreeBytes 0: nothing is refused
     * @param reserve counts as free, as it can be given up
     */
    DiskGuard(Path directory, long keptFreeBytes, FreeSpace freeSpace, DiskReserve reserve) {
        this.reserve = reserve;
        this.directory = directory;
        this.keptFreeBytes = keptFreeBytes;
        this.freeSpace = freeSpace;
    }

    Path directory() {
        return directory;
    }

    long keptFreeBytes() {
        return keptFreeBytes;
    }

    DiskReserve reserve() {
        return reserve;
    }

    /** What others may take as well. */
    long freeBytes() throws IOException {
        return freeSpace.usableBytes();
    }

    /** What is free for the engine. */
    long usableBytes() throws IOException {
        return freeBytes() + reserve.heldBytes();
    }

    /** Admits a write of so many bytes, or throws {@link DiskFullException}. */
    void admit(long bytes) throws IOException {
        if (keptFreeBytes == 0) {
            return;
        }
        long free = usableBytes();
        long cost = bytes * WRITE_FACTOR;
        if (free < keptFreeBytes + cost) {
            throw new DiskFullException("%s: %s".formatted(directory, toFree(free, cost)));
        }
    }

    /** What people must do, who have so little free. */
    String toFree(long free, long cost) {
        return "free some space, at least %d bytes: %d bytes are free, and %d must stay free beside the %d to write"
                .formatted(keptFreeBytes + cost - free, free, keptFreeBytes, cost);
    }
}
