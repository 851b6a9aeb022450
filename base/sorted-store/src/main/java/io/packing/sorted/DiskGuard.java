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

    /** What other stores on the disk want kept free. */
    interface Others {
        long wantedBytes();
    }

    /** A write costs its bytes in the log, again in a table, and again while a compaction holds both. */
    private static final int WRITE_FACTOR = 4;

    private final Path directory;
    private final long minFreeBytes;
    private final FreeSpace freeSpace;
    private final Others others;

    /** @param minFreeBytes 0: nothing is refused */
    DiskGuard(Path directory, long minFreeBytes, FreeSpace freeSpace, Others others) {
        this.directory = directory;
        this.minFreeBytes = minFreeBytes;
        this.freeSpace = freeSpace;
        this.others = others;
    }

    /** Admits a write of so many bytes, or throws {@link DiskFullException}. */
    void admit(long bytes) throws IOException {
        if (minFreeBytes == 0) {
            return;
        }
        long free = freeSpace.usableBytes();
        long keep = minFreeBytes + others.wantedBytes();
        long cost = bytes * WRITE_FACTOR;
        if (free < keep + cost) {
            throw new DiskFullException(
                    "free space in %s: %d bytes are free, and %d must stay free beside the %d to write"
                            .formatted(directory, free, keep, cost));
        }
    }
}
