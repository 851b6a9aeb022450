// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.loop.BackOff;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A repeater of requests that may succeed later. It uses jittered exponential backoff, at the rate that the store bears, until a timeout. It reports every attempt.
 */
public final class Attempts {
    private static final BackOff BACK_OFF = new BackOff(50, 5_000);

    /** One attempt; its number counts from 1. */
    public interface Request<T> {
        T send(int attempt) throws IOException;
    }

    /** The body bytes that a successful attempt moved. */
    public interface Moved<T> {
        long bytes(T result);
    }

    /** A failure of an attempt that another one may not have. */
    public static final class Transient extends IOException {
        private static final long serialVersionUID = 1L;

        private static final String THROTTLED = "The store throttles: ask its operator for a higher request rate.";
        private static final String SILENT = "Check packing.s3.endpoint and that the store runs.";

        private final boolean throttled;
        private final String advice;

        public Transient(String message, boolean throttled, @Nullable Throwable cause) {
            this(message, throttled, throttled ? THROTTLED : SILENT, cause);
        }

        /** @param advice to the reader of the last of these failures */
        public Transient(String message, boolean throttled, String advice, @Nullable Throwable cause) {
            super(message, cause);
            this.throttled = throttled;
            this.advice = advice;
        }
    }

    private final String store;
    private final RequestListener listener;
    private final LongSupplier nanoClock;
    private final Pause pause;
    private final RandomGenerator random;
    private final RateControl writes;
    private final RateControl reads;
    private volatile boolean closed;

    public Attempts(
            String store, RequestListener listener, LongSupplier nanoClock, Pause pause, RandomGenerator random) {
        this.store = store;
        this.listener = listener;
        this.nanoClock = nanoClock;
        this.pause = pause;
        this.random = random;
        this.writes = new RateControl(nanoClock);
        this.reads = new RateControl(nanoClock);
    }

    /**
     * Sends a request until it succeeds, or fails for good.
     *
     * @throws StoreUnavailableException when it fails for longer than the timeout
     */
    public <T> T run(RequestKind kind, String what, Duration timeout, Request<T> request, Moved<T> moved)
            throws IOException {
        RateControl rate = kind == RequestKind.GET || kind == RequestKind.HEAD ? reads : writes;
        long deadline = nanoClock.getAsLong() + timeout.toNanos();
        for (int attempt = 1; ; attempt++) {
            long reservedAt = nanoClock.getAsLong();
            pauseMillis(what, (rate.reserve() + 999_999) / 1_000_000);
            checkOpen(what);
            try {
                T result = request.send(attempt);
                rate.granted();
                listener.request(kind, moved.bytes(result), RequestOutcome.OK);
                return result;
            } catch (Transient e) {
                listener.request(kind, 0, e.throttled ? RequestOutcome.THROTTLED : RequestOutcome.FAILED);
                if (e.throttled) {
                    rate.throttled(reservedAt);
                }
                checkOpen(what);
                backOff(what, attempt, timeout, deadline, e);
            } catch (ObjectNotFoundException | PreconditionFailedException e) {
                rate.granted();
                listener.request(kind, 0, RequestOutcome.OK);
                throw e;
            } catch (IOException | RuntimeException e) {
                listener.request(kind, 0, RequestOutcome.FAILED);
                // The client of a closed store has failures of its own.
                checkOpen(what);
                throw e;
            }
        }
    }

    /** Lets no further attempt begin; those under way are the last. */
    public void close() {
        closed = true;
    }

    private void checkOpen(String what) throws InterruptedIOException {
        if (closed) {
            throw interrupted(what, new IOException("%s was closed".formatted(store)));
        }
    }

    private void backOff(String what, int attempt, Duration timeout, long deadline, Transient last) throws IOException {
        // No method reference: what makes classes for Java 11 cannot refer to a method of an interface of later
        // versions.
        long millis = BACK_OFF.jitteredMillis(attempt, bound -> random.nextLong(bound));
        if (nanoClock.getAsLong() + millis * 1_000_000 - deadline >= 0) {
            throw new StoreUnavailableException(
                    "%s: %s failed %d times in %d s, last: %s. %s"
                            .formatted(store, what, attempt, timeout.toSeconds(), last.getMessage(), last.advice)
                            .strip(),
                    last);
        }
        pauseMillis(what, millis);
    }

    private void pauseMillis(String what, long millis) throws IOException {
        if (millis <= 0) {
            return;
        }
        try {
            pause.millis(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(what, e);
        }
    }

    /** Makes the failure of a request whose thread was interrupted. */
    public static InterruptedIOException interrupted(String what, Throwable cause) {
        InterruptedIOException failure = new InterruptedIOException(what + ": interrupted");
        failure.initCause(cause);
        return failure;
    }
}
