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

/** The room of a buffer: creators wait in it while the buffer or its disk is full. Thread-safe. */
final class BufferSpace {
    private static final long MIN_FREE_DISK_BYTES = 64L << 20;
    private static final long ASK_DISK_EVERY_BYTES = 4L << 20;
    /** Others may free the disk, and do not say so. */
    private static final long LOOK_AGAIN_NANOS = 100_000_000;
    /** Files leave the buffer a little before their bytes leave the disk. */
    private static final long EMPTY_NANOS = 1_000_000_000;

    /** For how long others may take to free a disk on which nothing can be packed. */
    private static final long STUCK_NANOS = 10_000_000_000L;

    /** Where the number of free bytes comes from. */
    interface FreeSpace {
        long usableBytes() throws IOException;
    }

    private final Path directory;
    private final Duration fullTimeout;
    private final FreeSpace freeSpace;
    private final LongSupplier nanoTime;
    private final Runnable whenFull;
    private long maxBytes;
    private long usedBytes;
    private long releases;
    private long diskAllowance;
    private long waiting;
    /** Reserved for large files that are not closed: nothing can be pushed to make room for them. */
    private long openLargeBytes;

    /** Why nothing can be packed, when the disk has no room for that. */
    private Optional<String> stuck = Optional.empty();

    private long stuckSince;

    private Optional<Supplier<IOException>> halted = Optional.empty();

    /** @param whenFull asks for something to be pushed */
    BufferSpace(
            Path directory,
            long maxBytes,
            Duration fullTimeout,
            FreeSpace freeSpace,
            LongSupplier nanoTime,
            Runnable whenFull) {
        this.directory = directory;
        this.maxBytes = maxBytes;
        this.fullTimeout = fullTimeout;
        this.freeSpace = freeSpace;
        this.nanoTime = nanoTime;
        this.whenFull = whenFull;
    }

    /**
     * Makes room for bytes, waiting for pushes while the buffer or the disk is full.
     *
     * @throws BufferFullException when nothing left the buffer for long, or nothing could leave it
     */
    synchronized void reserve(long bytes) throws IOException {
        long seen = releases;
        long since = nanoTime.getAsLong();
        while (true) {
            if (halted.isPresent()) {
                throw halted.get().get();
            }
            boolean full = usedBytes > openLargeBytes && usedBytes + bytes > maxBytes;
            if (!full && diskAdmits(bytes)) {
                break;
            }
            long now = nanoTime.getAsLong();
            if (releases != seen) {
                seen = releases;
                since = now;
            }
            if (!full && usedBytes <= openLargeBytes && now - since >= EMPTY_NANOS) {
                throw new BufferFullException(
                        "%s: the disk is full, and not with buffered files: free some space".formatted(directory));
            }
            if (stuck.isPresent() && now - Math.max(since, stuckSince) >= STUCK_NANOS) {
                throw new BufferFullException(
                        "%s: the disk is so full that what is buffered cannot be packed either (%s): free some space"
                                .formatted(directory, stuck.get()));
            }
            whenFull.run();
            long left = fullTimeout.toNanos() - (now - since);
            if (left <= 0) {
                throw new BufferFullException(
                        "%s: full with %d bytes buffered, and nothing left it for %s: free some space, raise"
                                        .formatted(directory, usedBytes, fullTimeout)
                                + " packing.buffer.max.bytes, or check that the backing store is reachable");
            }
            await(Math.min(left, LOOK_AGAIN_NANOS));
        }
        usedBytes += bytes;
    }

    @SuppressWarnings("WaitNotInLoop") // The caller's loop looks again.
    private void await(long nanos) throws IOException {
        waiting++;
        try {
            TimeUnit.NANOSECONDS.timedWait(this, nanos);
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

    /** Learns that nothing could be packed, for lack of room on the disk. Creators get an error when that lasts. */
    synchronized void cannotPack(String why) {
        if (stuck.isEmpty()) {
            stuckSince = nanoTime.getAsLong();
        }
        stuck = Optional.of(why);
    }

    /** Learns that something was packed. */
    synchronized void packed() {
        stuck = Optional.empty();
    }

    /** It is as large from now on; who waits looks again. */
    synchronized void resize(long bytes) {
        maxBytes = bytes;
        notifyAll();
    }

    /** Nothing is pushed any more: creators are told why. */
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

    /** Room for a part of a large file, which cannot be pushed before the whole file is closed. */
    void reserveLarge(long bytes) throws IOException {
        reserve(bytes);
        synchronized (this) {
            openLargeBytes += bytes;
        }
    }

    /** A large file is closed or given up. */
    synchronized void largeEnded(long bytes) {
        openLargeBytes -= bytes;
    }

    synchronized long usedBytes() {
        return usedBytes;
    }

    /** Creators that wait for room. */
    synchronized long waiting() {
        return waiting;
    }
}
