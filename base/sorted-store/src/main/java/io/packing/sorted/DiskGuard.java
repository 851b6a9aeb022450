package io.packing.sorted;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Refuses writes before the disk is full: LevelDB maps its files into memory, and a full disk there is a SIGBUS that ends
 * the JVM. Asks the file system once per allowance rather than once per write.
 */
final class DiskGuard {
    /** Where the number of free bytes comes from. */
    interface FreeSpace {
        long usableBytes() throws IOException;
    }

    /** A write costs its bytes in the log, again in a table, and again while a compaction holds both. */
    private static final int WRITE_FACTOR = 4;

    private static final long ASK_EVERY_BYTES = 4 << 20;

    private final Path directory;
    private final long minFreeBytes;
    private final FreeSpace freeSpace;
    private long allowance;

    DiskGuard(Path directory, long minFreeBytes, FreeSpace freeSpace) {
        this.directory = directory;
        this.minFreeBytes = minFreeBytes;
        this.freeSpace = freeSpace;
    }

    /** Admits a write of so many bytes, or throws {@link DiskFullException}. */
    synchronized void admit(long bytes) throws IOException {
        if (minFreeBytes == 0) {
            return;
        }
        long cost = bytes * WRITE_FACTOR;
        if (cost > allowance) {
            long free = freeSpace.usableBytes();
            long spare = free - minFreeBytes - cost;
            if (spare < 0) {
                throw new DiskFullException("%s: %d bytes free, want %d to keep free and %d to write: free some space"
                        .formatted(directory, free, minFreeBytes, cost));
            }
            // Others fill the same disk, so the allowance is small and never more than half of what is spare.
            allowance = cost + Math.min(ASK_EVERY_BYTES, spare / 2);
        }
        allowance -= cost;
    }
}
