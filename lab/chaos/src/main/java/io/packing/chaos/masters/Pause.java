package io.packing.chaos.masters;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets time pass. */
final class Pause {
    private Pause() {}

    static void millis(long millis) throws InterruptedException {
        if (new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("nobody counts it down");
        }
    }
}
