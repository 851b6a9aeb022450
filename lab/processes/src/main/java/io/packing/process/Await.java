// SPDX-License-Identifier: Apache-2.0
package io.packing.process;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A wait for the work of other threads or processes that do not signal its end. */
public final class Await {
    private static final long POLL_MILLIS = 10;
    private static final Duration LONG = Duration.ofMinutes(2);

    private Await() {}

    /** A condition to wait for. */
    public interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    /**
     * Waits up to two minutes until a condition holds.
     *
     * @param what the condition in words
     */
    public static void until(String what, Condition condition) throws IOException, InterruptedException {
        until(what, LONG, condition);
    }

    /**
     * Waits until a condition holds. It checks the condition at least once.
     *
     * @throws IOException with the condition in words when time is up
     */
    public static void until(String what, Duration timeout, Condition condition)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("not within %d ms: %s".formatted(timeout.toMillis(), what));
            }
            if (new CountDownLatch(1).await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the latch was counted down");
            }
        }
    }
}
