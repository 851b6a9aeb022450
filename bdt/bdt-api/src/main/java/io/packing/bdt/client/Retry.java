package io.packing.bdt.client;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.packing.bdt.BusyException;
import io.packing.bdt.MovedException;
import io.packing.bdt.NotLeaderException;
import io.packing.bdt.UnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** Repeats a call while it ends with {@link UnavailableException}, with jittered exponential backoff, until a timeout. */
public final class Retry {
    private static final long FIRST_PAUSE_MILLIS = 20;
    private static final long LONGEST_PAUSE_MILLIS = 2_000;
    /** Of masters that replace each other within seconds. */
    private static final long LONGEST_PAUSE_IN_A_GROUP_MILLIS = 400;

    /** Masters that name each other, one after the other, without a pause. */
    static final int MOST_HOPS = 3;

    /** One attempt, given the time that is left. */
    public interface Attempt<T> {
        T call(Duration left) throws IOException;
    }

    /** How to wait; {@code Thread::sleep} outside of tests. */
    public interface Pause {
        void millis(long millis) throws InterruptedException;
    }

    /** What a caller is told in the end. */
    public interface GivenUp {
        /**
         * The message.
         *
         * @param what was tried
         * @param last failure's message
         */
        String message(String what, Duration timeout, String last);
    }

    private final GivenUp givenUp;
    private final Duration timeout;
    private final LongSupplier nanoClock;
    private final Pause pause;
    private final RandomGenerator random;
    private volatile boolean group;

    public Retry(GivenUp givenUp, Duration timeout, LongSupplier nanoClock, Pause pause, RandomGenerator random) {
        this.givenUp = givenUp;
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
                // Nobody here will have it, however often they are asked.
                throw e;
            } catch (UnavailableException e) {
                if (e instanceof NotLeaderException other && other.leader().isPresent() && ++hops < MOST_HOPS) {
                    // There is one to go to, which need not be waited for.
                    continue;
                }
                hops = 0;
                // The last attempt often runs out of time; what a master answered before says more.
                told = told != null && ranOutOfTime(e) ? told : e;
                pauseOrFail(what, tries, deadline, told);
            }
        }
    }

    private static boolean ranOutOfTime(UnavailableException e) {
        return e.getCause() instanceof StatusRuntimeException answer
                && answer.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED;
    }

    /** Waits as before an attempt after this one. */
    void pause(int tries) throws UnavailableException {
        try {
            pause.millis(backoffMillis(tries));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted while waiting", e);
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

    /** From now on it is known that there are several masters, and that another one answers soon when one does not. */
    void ofGroup() {
        group = true;
    }

    /** How long to wait before the attempt after this one, milliseconds. */
    long backoffMillis(int tries) {
        long longest = group ? LONGEST_PAUSE_IN_A_GROUP_MILLIS : LONGEST_PAUSE_MILLIS;
        long most = Math.min(longest, FIRST_PAUSE_MILLIS << Math.min(tries, 10));
        return most / 2 + random.nextLong(most / 2 + 1);
    }

    /** A master that says when to ask again is believed, and not asked by all who were refused in the same moment. */
    private long pauseMillis(int tries, UnavailableException last) {
        if (!(last instanceof BusyException busy)) {
            return backoffMillis(tries);
        }
        long asked = busy.waitFor().toMillis();
        return asked + random.nextLong(asked / 4 + FIRST_PAUSE_MILLIS);
    }

    UnavailableException unavailable(String what, Throwable last) {
        return new UnavailableException(givenUp.message(what, timeout, String.valueOf(last.getMessage())), last);
    }

    private void pauseOrFail(String what, int tries, long deadline, UnavailableException last)
            throws UnavailableException {
        if (isPast(deadline)) {
            throw unavailable(what, last);
        }
        try {
            // Not beyond the deadline: whoever asks for 3 s gets 3 s, and one more attempt at their end.
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
