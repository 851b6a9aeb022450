// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * An answer for which the thread that makes this waits. The answer's arrival gives that thread the turn: no other thread of its machine
 * has to take one for it.
 */
public final class AwaitedAnswer {
    private static final long NEVER = Long.MAX_VALUE;

    private final Schedule schedule;
    private final SimulatedThread asking;
    /** The virtual time at which the answer is there. */
    private long arrival = NEVER;

    private @Nullable Object result;
    private @Nullable Throwable failure;

    public AwaitedAnswer(Schedule schedule) {
        this.schedule = schedule;
        this.asking = schedule.me();
    }

    /** Sends the answer, which arrives after a time. */
    public void send(@Nullable Object answer, @Nullable Throwable why, long afterNanos) {
        if (schedule.nanos() < arrival) {
            result = answer;
            failure = why;
            arrival = schedule.nanos() + afterNanos;
            schedule.wakeAfter(asking, afterNanos);
        }
    }

    /** Fails at once, if the answer has not arrived. */
    public void fail(Throwable why) {
        if (schedule.nanos() < arrival) {
            failure = why;
            arrival = schedule.nanos();
            schedule.wake(asking);
        }
    }

    /** Waits for the answer. */
    public @Nullable Object await() throws InterruptedException, ExecutionException {
        while (schedule.nanos() < arrival) {
            if (SimulatedJdk.interrupted()) {
                throw new InterruptedException();
            }
            schedule.waitTurn("for an answer", arrival == NEVER ? -1 : arrival - schedule.nanos());
        }
        if (failure != null) {
            throw new ExecutionException(failure);
        }
        return result;
    }
}
