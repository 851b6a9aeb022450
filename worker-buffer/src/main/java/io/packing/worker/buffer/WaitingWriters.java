// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The number of files whose writers wait for an answer, now and lately. A writer has a limited number of files without
 * an answer: one when it closes each file before the next, a window of them when it streams. So when as many wait as
 * the recent peak, no further file is on its way. Counting is thread-safe; asking is confined to one thread.
 */
final class WaitingWriters {
    /** The part of the peak that each question keeps, so that a batch does not wait for writers that have ended. */
    private static final double KEPT = 0.95;

    private final AtomicInteger waiting = new AtomicInteger();
    private double lately;

    void handedOver() {
        waiting.incrementAndGet();
    }

    void answered() {
        waiting.decrementAndGet();
    }

    /** Notes the waiting files at the start of a batch. */
    void look() {
        lately = Math.max(waiting.get(), lately * KEPT);
    }

    /** Returns whether all recent writers wait already. */
    boolean areAll() {
        int now = waiting.get();
        return now > 0 && now >= Math.ceil(lately);
    }
}
