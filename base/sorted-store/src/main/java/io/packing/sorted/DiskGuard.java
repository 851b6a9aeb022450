// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A guard that refuses writes before the disk is full. LevelDB maps the files that it writes into memory, and a full
 * disk there is a SIGBUS that ends the JVM. Every write asks the file system, which takes some microseconds: other
 * processes fill the disk, too, and may have taken the space of a moment ago.
 */
final class DiskGuard {
    /** The source of the number of free bytes. */
    interface FreeSpace {
        long usableBytes() throws IOException;
    }

    /**
     * The multiple of a write's bytes that it may need: in the log, in a table, and again while a compaction holds
     * both.
     */
    private static final int WRITE_FACTOR = 4;

    private final Path directory;
    private final long keptFreeBytes;
    private final FreeSpace freeSpace;
    private final DiskReserve reserve;

    /**
     * @param keptFreeBytes 0 refuses no write
     * @param reserve counts as free, since it can be given up
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

    /** Returns the free bytes, which other processes may take as well. */
    long freeBytes() throws IOException {
        return freeSpace.usableBytes();
    }

    /** Returns the free bytes for the engine. */
    long usableBytes() throws IOException {
        return freeBytes() + reserve.heldBytes();
    }

    /**
     * Admits a write of so many bytes.
     *
     * @throws DiskFullException when the disk has too little space
     */
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

    /** Returns the advice for an operator with so little free space. */
    String toFree(long free, long cost) {
        return "free some space, at least %d bytes: %d bytes are free, and %d must stay free beside the %d to write"
                .formatted(keptFreeBytes + cost - free, free, keptFreeBytes, cost);
    }
}
