package io.packing.process;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for what other threads or processes do, where nothing tells that it is done. */
public final class Await {
    private static final long POLL_MILLIS = 10;
    private static final Duration LONG = Duration.ofMinutes(2);

    private Await() {}

    /** Something that is waited for. */
    public interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    /**
     * Waits until a condition holds, for two minutes.
     *
     * @param what in words
     */
    public static void until(String what, Condition condition) throws IOException, InterruptedException {
        until(what, LONG, condition);
    }

    /**
     * Waits until a condition holds. It is asked at least once.
     *
     * @throws IOException when time is up, saying what was waited for
     */
    public static void until(String what, Duration timeout, Condition condition)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("not within %d ms: %s".formatted(timeout.toMillis(), what));
            }
            if (new CountDownLatch(1).await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("nobody counts it down");
            }
        }
    }
}
