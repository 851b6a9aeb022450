// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The time that a request may take without a byte, and in all. The first is much shorter than that of stores, which close idle
 * connections after 20 s or more. Confined to one thread.
 */
final class Patience {
    private final LongSupplier nanoTime;
    private final Duration most;
    private final Duration mostInAll;
    private final long started;
    private long since;

    /**
     * @param most time without a byte
     * @param mostInAll time in which the last byte has to come
     */
    Patience(LongSupplier nanoTime, Duration most, Duration mostInAll) {
        this.nanoTime = nanoTime;
        this.most = most;
        this.mostInAll = mostInAll;
        this.started = nanoTime.getAsLong();
        this.since = started;
    }

    /** Begins a wait. */
    void begin() {
        since = nanoTime.getAsLong();
    }

    /** Fails if the wait has been too long. */
    void check() throws PushCutException {
        long now = nanoTime.getAsLong();
        if (now - since >= most.toNanos()) {
            throw new PushCutException(
                    PushCutException.Cause.STALL, "nothing came for %d ms".formatted(most.toMillis()));
        }
        if (now - started >= mostInAll.toNanos()) {
            throw new PushCutException(
                    PushCutException.Cause.STALL, "it was not full after %d ms".formatted(mostInAll.toMillis()));
        }
    }
}
