package io.packing.worker.buffer;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The files whose writers wait for an answer, and how many there were lately. A writer has only so many files without an answer:
 * one when it closes each file before the next, a window of them when it streams. So when as many wait as ever did lately, no
 * further file is on its way. Counting is thread-safe; asking is confined to one thread.
 */
final class WaitingWriters {
    /** A peak is forgotten by so much with each question, so that writers that have ended are not waited for. */
    private static final double KEPT = 0.95;

    private final AtomicInteger waiting = new AtomicInteger();
    private double lately;

    void handedOver() {
        waiting.incrementAndGet();
    }

    void answered() {
        waiting.decrementAndGet();
    }

    /** Notes how many wait at the start of a group. */
    void look() {
        lately = Math.max(waiting.get(), lately * KEPT);
    }

    /** Whether all writers of late wait already. */
    boolean areAll() {
        int now = waiting.get();
        return now > 0 && now >= Math.ceil(lately);
    }
}
