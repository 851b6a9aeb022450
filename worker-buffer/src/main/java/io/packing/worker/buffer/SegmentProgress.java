// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

/**
 * The growth of a segment that takes records, for a thread that sends its bytes meanwhile. One thread appends; any
 * thread waits for more. Thread-safe.
 */
final class SegmentProgress {
    private long committed;
    private long fileBytes;
    private boolean ended;
    /** The position beyond which a thread waits for bytes. */
    private long waitedFor = Long.MAX_VALUE;

    private volatile long limit = Long.MAX_VALUE;

    /** The committed bytes of a segment. */
    record Size(long committed, long fileBytes, boolean ended) {}

    /** Notes the committed bytes, and those of files among them. */
    synchronized void committed(long end, long ofFiles) {
        committed = end;
        fileBytes = ofFiles;
        if (end > waitedFor) {
            notifyAll();
        }
    }

    /** Notes that the segment takes no more records. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    synchronized Size size() {
        return new Size(committed, fileBytes, ended);
    }

    /** Lets no record end beyond this position; returns false if the segment has ended or is longer. */
    synchronized boolean limit(long most) {
        if (ended || committed > most) {
            return false;
        }
        limit = most;
        return true;
    }

    /** Lets the segment grow up to its own limits again. */
    void unlimit() {
        limit = Long.MAX_VALUE;
    }

    /** Returns whether a record up to this position is within the limit; for the thread that appends. */
    boolean isWithin(long end) {
        return end <= limit;
    }

    /**
     * Waits, at most so long, for more committed bytes than this or the end of the segment; returns the size then. It
     * may return sooner. At most one thread waits.
     */
    @SuppressWarnings("WaitNotInLoop") // The caller's loop asks again.
    synchronized Size awaitBeyond(long position, long millis) throws InterruptedException {
        if (committed <= position && !ended) {
            waitedFor = position;
            try {
                wait(millis);
            } finally {
                waitedFor = Long.MAX_VALUE;
            }
        }
        return size();
    }
}
