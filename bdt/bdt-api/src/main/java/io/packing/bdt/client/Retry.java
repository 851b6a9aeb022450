// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.packing.bdt.BusyException;
import io.packing.bdt.MovedException;
import io.packing.bdt.NotLeaderException;
import io.packing.bdt.UnavailableException;
import io.packing.loop.BackOff;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The repetition of a call while it fails with {@link UnavailableException}, with jittered exponential backoff, until a timeout.
 */
public final class Retry {
    private static final long FIRST_PAUSE_MILLIS = 20;
    private static final BackOff BACK_OFF = new BackOff(FIRST_PAUSE_MILLIS, 2_000);
    /** The pauses for masters that replace each other within seconds. */
    private static final BackOff BACK_OFF_IN_A_GROUP = new BackOff(FIRST_PAUSE_MILLIS, 400);

    /** The most masters to follow in turn without a pause. */
    static final int MOST_HOPS = 3;

    /** An attempt within the time that is left. */
    public interface Attempt<T> {
        T call(Duration left) throws IOException;
    }

    /** The way to wait; {@code Thread::sleep} outside of tests. */
    public interface Pause {
        void millis(long millis) throws InterruptedException;
    }

    /** The message for the caller after the last attempt. */
    public interface GivenUp {
        /**
         * Returns the message.
         *
         * @param what the caller tried
         * @param last failure's message
         */
        String message(String what, Duration timeout, String last);
    }

    /** A listener for calls that wait, so that a user hears of it before the timeout. */
    public interface Waits {
        /**
         * Takes note of a failed attempt that is not the last.
         *
         * @param what the caller tries
         * @param waited time since the first attempt
         * @param left time until the call gives up
         * @param last failure's message
         */
        void attemptFailed(String what, Duration waited, Duration left, String last);
    }

    private final GivenUp givenUp;
    private final Waits waits;
    private final Duration timeout;
    private final LongSupplier nanoClock;
    private final Pause pause;
    private final RandomGenerator random;
    private volatile boolean group;

    public Retry(GivenUp givenUp, Duration timeout, LongSupplier nanoClock, Pause pause, RandomGenerator random) {
        this(givenUp, (what, waited, left, last) -> {}, timeout, nanoClock, pause, random);
    }

    Retry(GivenUp givenUp, Waits waits, Duration timeout, LongSupplier nanoClock, Pause pause, RandomGenerator random) {
        this.givenUp = givenUp;
        this.waits = waits;
        this.timeout = timeout;
        this.nanoClock = nanoClock;
        this.pause = pause;
        this.random = random;
    }

    /** Tries at least once. */
    public <T> T call(String what, Attempt<T> attempt) throws IOException {
        long deadline = deadline();
        UnavailableException told = null;
        int hops = 0;
        for (int tries = 1; ; tries++) {
            try {
                return attempt.call(Duration.ofNanos(Math.max(1_000_000, deadline - nanoClock.getAsLong())));
            } catch (MovedException e) {
                // No master of this group has it, after any number of tries.
                throw e;
            } catch (UnavailableException e) {
                if (e instanceof NotLeaderException other && other.leader().isPresent() && ++hops < MOST_HOPS) {
                    // Another master is known, so go there without a wait.
                    continue;
                }
                hops = 0;
                // The last attempt often runs out of time; an earlier answer of a master says more.
                told = told != null && ranOutOfTime(e) ? told : e;
                pauseOrFail(what, tries, deadline, told);
            }
        }
    }

    private static boolean ranOutOfTime(UnavailableException e) {
        return e.getCause() instanceof StatusRuntimeException answer
                && answer.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED;
    }

    /** Waits as long as between this attempt and the next. */
    void pause(int tries) throws UnavailableException {
        try {
            pause.millis(backoffMillis(tries));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted while waiting", e);
        }
    }

    /** Returns a random number, which no other request is likely to have. */
    long nextRequest() {
        return random.nextLong(1, Long.MAX_VALUE);
    }

    /** Returns the time, on the clock of this object, at which an operation that starts now gives up. */
    long deadline() {
        return nanoClock.getAsLong() + timeout.toNanos();
    }

    boolean isPast(long deadline) {
        return nanoClock.getAsLong() - deadline >= 0;
    }

    /** Notes that the group has several masters, of which another one answers soon when one does not. */
    void ofGroup() {
        group = true;
    }

    /** Returns the pause before the next attempt, in milliseconds. */
    long backoffMillis(int tries) {
        // No method reference: what makes classes for Java 11 cannot refer to a method of an interface of later
        // versions.
        return (group ? BACK_OFF_IN_A_GROUP : BACK_OFF).jitteredMillis(tries + 1L, bound -> random.nextLong(bound));
    }

    /** Returns the pause that the master asks for, with a random part that spreads concurrent callers. */
    private long pauseMillis(int tries, UnavailableException last) {
        if (!(last instanceof BusyException busy)) {
            return backoffMillis(tries);
        }
        long asked = busy.waitFor().toMillis();
        return asked + random.nextLong(asked / 4 + FIRST_PAUSE_MILLIS);
    }

    UnavailableException unavailable(String what, Throwable last) {
        return new UnavailableException(givenUp.message(what, timeout, why(last)), last);
    }

    /** Returns the cause of a failure in the words of the network, which say more than those of the channel. */
    static String why(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof UnknownHostException) {
                return "unknown host " + at.getMessage();
            }
            if (at instanceof ConnectException) {
                return String.valueOf(at.getMessage());
            }
        }
        return String.valueOf(failure.getMessage());
    }

    private void pauseOrFail(String what, int tries, long deadline, UnavailableException last)
            throws UnavailableException {
        if (isPast(deadline)) {
            throw unavailable(what, last);
        }
        if (!(last instanceof BusyException)) {
            Duration left = Duration.ofNanos(deadline - nanoClock.getAsLong());
            waits.attemptFailed(what, timeout.minus(left), left, why(last));
        }
        try {
            // Do not wait beyond the deadline: a caller with a timeout of 3 s gets 3 s, and one more attempt at their
            // end.
            long left = (deadline - nanoClock.getAsLong()) / 1_000_000;
            pause.millis(Math.max(1, Math.min(left, pauseMillis(tries, last))));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            UnavailableException failure = new UnavailableException(what + ": interrupted while waiting", interrupted);
            failure.addSuppressed(last);
            throw failure;
        }
    }
}
