package io.packing.bdt.client;

import io.packing.bdt.UnavailableException;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** Repeats a call while the master cannot be reached, with jittered exponential backoff, until a timeout. */
final class Retry {
    private static final long FIRST_PAUSE_MILLIS = 20;
    private static final long LONGEST_PAUSE_MILLIS = 2_000;

    /** One attempt, given the time that is left. */
    interface Attempt<T> {
        T call(Duration left) throws IOException;
    }

    /** How to wait; {@code Thread::sleep} outside of tests. */
    interface Pause {
        void millis(long millis) throws InterruptedException;
    }

    private final String address;
    private final Duration timeout;
    private final LongSupplier nanoClock;
    private final Pause pause;
    private final RandomGenerator random;

    Retry(String address, Duration timeout, LongSupplier nanoClock, Pause pause, RandomGenerator random) {
        this.address = address;
        this.timeout = timeout;
        this.nanoClock = nanoClock;
        this.pause = pause;
        this.random = random;
    }

    <T> T call(String what, Attempt<T> attempt) throws IOException {
        long deadline = deadline();
        for (int tries = 1; ; tries++) {
            try {
                return attempt.call(Duration.ofNanos(Math.max(1_000_000, deadline - nanoClock.getAsLong())));
            } catch (UnavailableException e) {
                pauseOrFail(what, tries, deadline, e);
            }
        }
    }

    /** A number that no other request has, with all likelihood. */
    long nextRequest() {
        return random.nextLong(1, Long.MAX_VALUE);
    }

    /** When an operation that starts now has to give up, on the clock of this object. */
    long deadline() {
        return nanoClock.getAsLong() + timeout.toNanos();
    }

    boolean isPast(long deadline) {
        return nanoClock.getAsLong() - deadline >= 0;
    }

    /** How long to wait before the attempt after this one, milliseconds. */
    long backoffMillis(int tries) {
        long most = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(tries, 10));
        return most / 2 + random.nextLong(most / 2 + 1);
    }

    UnavailableException unavailable(String what, Throwable last) {
        return new UnavailableException(
                ("%s: the BDT master at %s did not answer for %s s (%s). Check that it runs (its /healthz, its log) and"
                                + " that this address is reachable from here.")
                        .formatted(
                                what,
                                address,
                                BigDecimal.valueOf(timeout.toMillis(), 3)
                                        .stripTrailingZeros()
                                        .toPlainString(),
                                last.getMessage()),
                last);
    }

    private void pauseOrFail(String what, int tries, long deadline, UnavailableException last)
            throws UnavailableException {
        if (isPast(deadline)) {
            throw unavailable(what, last);
        }
        try {
            // Not beyond the deadline: whoever asks for 3 s gets 3 s, and one more attempt at their end.
            long left = (deadline - nanoClock.getAsLong()) / 1_000_000;
            pause.millis(Math.max(1, Math.min(left, backoffMillis(tries))));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            UnavailableException failure = new UnavailableException(what + ": interrupted while waiting", interrupted);
            failure.addSuppressed(last);
            throw failure;
        }
    }
}
