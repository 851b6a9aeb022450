// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A bell that wakes the one thread that waits for work, of any kind. A ring without a waiting thread costs next to
 * nothing, and the next wait returns at once. One thread waits; any thread rings.
 */
final class Doorbell {
    private final Semaphore rung = new Semaphore(0);

    /** Wakes the thread. */
    void ring() {
        // One permit is enough: the thread that takes it looks at all work.
        if (rung.availablePermits() == 0) {
            rung.release();
        }
    }

    /** Returns after a ring since the last wait, or after this time; sometimes earlier. */
    void await(long nanos) throws InterruptedException {
        if (rung.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
            int unused = rung.drainPermits();
        }
    }
}
