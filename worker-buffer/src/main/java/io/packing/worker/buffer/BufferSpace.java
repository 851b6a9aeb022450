// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.worker.api.BufferFullException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The space of a buffer, which makes creators wait while the buffer or its disk is full. Thread-safe. */
final class BufferSpace {
    private static final long MIN_FREE_DISK_BYTES = 64L << 20;
    private static final long ASK_DISK_EVERY_BYTES = 4L << 20;
    /** The time between looks at a full disk: other processes may free some of it, without a signal. */
    private static final long LOOK_AGAIN_NANOS = 100_000_000;
    /**
     * The time for which an empty buffer may have a full disk: files leave the buffer a little before their bytes leave
     * the disk.
     */
    private static final long EMPTY_NANOS = 1_000_000_000;

    /** The time for which other processes may free a disk that has no room to pack. */
    private static final long STUCK_NANOS = 10_000_000_000L;

    /** The source of the number of free bytes. */
    interface FreeSpace {
        long usableBytes() throws IOException;
    }

    /** The reaction of the buffer to a lack of space. */
    interface WhenFull {
        void run() throws IOException;
    }

    /** A creator that waits: the releases that it has seen, and the time since which it waits without one. */
    private static final class Creator {
        private long seen;
        private long since;
    }

    private final Path directory;
    private final Duration fullTimeout;
    private final FreeSpace freeSpace;
    private final LongSupplier nanoTime;
    private final WhenFull whenFull;
    private long maxBytes;
    private long usedBytes;
    private long releases;
    private long diskAllowance;
    private long waiting;
    /** The bytes of large files that are not closed, which no push can free. */
    private long openLargeBytes;

    /** The reason why the worker cannot pack, when the disk has no room for it. */
    private Optional<String> stuck = Optional.empty();

    private long stuckSince;

    private Optional<Supplier<IOException>> halted = Optional.empty();

    /** @param whenFull asks for a push */
    BufferSpace(
            Path directory,
            long maxBytes,
            Duration fullTimeout,
            FreeSpace freeSpace,
            LongSupplier nanoTime,
            WhenFull whenFull) {
        this.directory = directory;
        this.maxBytes = maxBytes;
        this.fullTimeout = fullTimeout;
        this.freeSpace = freeSpace;
        this.nanoTime = nanoTime;
        this.whenFull = whenFull;
    }

    /**
     * Reserves space for bytes; waits for pushes while the buffer or the disk is full.
     *
     * @throws BufferFullException when no file left the buffer for long, or none could leave it
     */
    void reserve(long bytes) throws IOException {
        Creator creator = new Creator();
        creator.since = nanoTime.getAsLong();
        synchronized (this) {
            creator.seen = releases;
        }
        while (!take(bytes, creator)) {
            // Without the lock: it removes files, which release their space.
            whenFull.run();
            await(creator);
        }
    }

    private synchronized boolean take(long bytes, Creator creator) throws IOException {
        if (halted.isPresent()) {
            throw halted.get().get();
        }
        boolean full = usedBytes > openLargeBytes && usedBytes + bytes > maxBytes;
        if (!full && diskAdmits(bytes)) {
            usedBytes += bytes;
            return true;
        }
        long now = nanoTime.getAsLong();
        if (releases != creator.seen) {
            creator.seen = releases;
            creator.since = now;
        }
        if (!full && usedBytes <= openLargeBytes && now - creator.since >= EMPTY_NANOS) {
            throw new BufferFullException(
                    "%s: the disk is full, and not with buffered files: free some space".formatted(directory));
        }
        if (stuck.isPresent() && now - Math.max(creator.since, stuckSince) >= STUCK_NANOS) {
            throw new BufferFullException(
                    "%s: the disk is so full that its buffered files cannot be packed either (%s): free some space"
                            .formatted(directory, stuck.get()));
        }
        return false;
    }

    /** Waits for a release that the creator has not seen. */
    @SuppressWarnings("WaitNotInLoop") // The caller's loop looks again.
    private synchronized void await(Creator creator) throws IOException {
        if (releases != creator.seen || halted.isPresent()) {
            return;
        }
        long left = fullTimeout.toNanos() - (nanoTime.getAsLong() - creator.since);
        if (left <= 0) {
            throw new BufferFullException(
                    "%s: full with %d bytes buffered, and nothing left it for %s: free some space, raise"
                                    .formatted(directory, usedBytes, fullTimeout)
                            + " packing.buffer.max.bytes, or check that the backing store is reachable");
        }
        waiting++;
        try {
            TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, LOOK_AGAIN_NANOS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the buffer is full");
        } finally {
            waiting--;
        }
    }

    private boolean diskAdmits(long bytes) throws IOException {
        if (diskAllowance < bytes) {
            long spare = freeSpace.usableBytes() - MIN_FREE_DISK_BYTES - bytes;
            if (spare < 0) {
                return false;
            }
            diskAllowance = bytes + Math.min(ASK_DISK_EVERY_BYTES, spare / 2);
        }
        diskAllowance -= bytes;
        return true;
    }

    synchronized void release(long bytes) {
        usedBytes -= bytes;
        releases++;
        stuck = Optional.empty();
        notifyAll();
    }

    /** Notes that the worker could not pack, for lack of room on the disk. Creators get an error when this lasts. */
    synchronized void cannotPack(String why) {
        if (stuck.isEmpty()) {
            stuckSince = nanoTime.getAsLong();
        }
        stuck = Optional.of(why);
    }

    /** Notes that the worker packed a blob. */
    synchronized void packed() {
        stuck = Optional.empty();
    }

    /** Changes the size; waiting creators look again. */
    synchronized void resize(long bytes) {
        maxBytes = bytes;
        notifyAll();
    }

    /** Fails waiting and later creators with this reason, since no push comes any more. */
    synchronized void halt(Supplier<IOException> why) {
        halted = Optional.of(why);
        notifyAll();
    }

    synchronized void resume() {
        halted = Optional.empty();
    }

    /** Counts bytes that an earlier process buffered. */
    synchronized void recovered(long bytes) {
        usedBytes += bytes;
    }

    /** Reserves space for a part of a large file, which no push frees before the whole file is closed. */
    void reserveLarge(long bytes) throws IOException {
        reserve(bytes);
        synchronized (this) {
            openLargeBytes += bytes;
        }
    }

    /** Returns whether the disk has room for a short second copy of bytes that the buffer has. */
    synchronized boolean hasRoomForCopy(long bytes) throws IOException {
        return diskAdmits(bytes);
    }

    /** Counts off the bytes of a large file that is closed or given up. */
    synchronized void largeEnded(long bytes) {
        openLargeBytes -= bytes;
    }

    synchronized long usedBytes() {
        return usedBytes;
    }

    /** Returns the number of creators that wait for space. */
    synchronized long waiting() {
        return waiting;
    }
}
