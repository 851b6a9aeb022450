package io.packing.worker.buffer;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Wakes the one thread that waits for work, whatever kind of work has come. To ring while nobody waits costs next to nothing, and
 * whoever waits next returns at once. One thread waits; any rings.
 */
final class Doorbell {
    private final Semaphore rung = new Semaphore(0);

    /** There is work. */
    void ring() {
        // One is enough: whoever answers it looks at all there is.
        if (rung.availablePermits() == 0) {
            rung.release();
        }
    }

    /** Returns when it was rung since the last time, or after this time; sometimes earlier. */
    void await(long nanos) throws InterruptedException {
        if (rung.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
            int unused = rung.drainPermits();
        }
    }
}
