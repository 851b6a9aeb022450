// SPDX-License-Identifier: Apache-2.0
package io.packing.loop;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A thread that repeats a step until it is closed. It repeats a step that fails after a pause, which grows. Its log learns of the first
 * of several failures in a row, and then of ever fewer with their number; after some of them {@link #problem} returns the last one. An
 * {@link Error} ends the thread: first the loop's owner learns of it, who fails the waiting callers, and then the thread's handler of
 * uncaught exceptions.
 */
public final class Loop implements AutoCloseable {
    /** The failures in a row that become a problem for the operator: the next try mends a single one. */
    public static final int FAILURES_TOLD = 3;

    /** One step of the loop. */
    public interface Step {
        void run() throws IOException, InterruptedException;
    }

    /** A wait of a loop for the end of its pause, or for its close. */
    interface Wait {
        /** Waits for so many milliseconds, or until the latch is counted down. */
        void await(CountDownLatch closed, long millis) throws InterruptedException;
    }

    private final Thread thread;
    private final BackOff backOff;
    private final LoopLog log;
    private final Step step;
    private final Consumer<Throwable> died;
    private final Wait pause;
    private final RareLog failures;
    private final CountDownLatch closed = new CountDownLatch(1);
    /** The task that ends the wait of a step; present if a close must not interrupt the step. */
    private volatile Optional<Runnable> wake = Optional.empty();

    private volatile Optional<String> problem = Optional.empty();

    private Loop(String name, BackOff backOff, LoopLog log, Step step, Consumer<Throwable> died, Wait pause) {
        this.pause = pause;
        this.backOff = backOff;
        this.log = log;
        this.step = step;
        this.died = died;
        this.failures = new RareLog(name, log);
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /**
     * Starts a loop.
     *
     * @param died receives the error that ends the loop, on its thread
     */
    public static Loop start(String name, BackOff backOff, LoopLog log, Step step, Consumer<Throwable> died) {
        return start(name, backOff, log, step, died, Loop::await);
    }

    /** Starts a loop whose pauses a test steps. */
    static Loop start(String name, BackOff backOff, LoopLog log, Step step, Consumer<Throwable> died, Wait pause) {
        Loop loop = new Loop(name, backOff, log, step, died, pause);
        loop.thread.start();
        return loop;
    }

    /**
     * Lets a close wait for the step at work instead of interrupting it.
     *
     * @param wakeIt makes a step that waits for work return
     */
    public Loop finishingItsStep(Runnable wakeIt) {
        wake = Optional.of(wakeIt);
        return this;
    }

    /** Returns the reason why the loop does not do its work: it ended, or fails again and again. */
    public Optional<String> problem() {
        return problem;
    }

    private void run() {
        try {
            while (closed.getCount() > 0) {
                stepOrPause();
            }
        } catch (RuntimeException | Error e) {
            problem = Optional.of("%s ended: %s".formatted(thread.getName(), e));
            died.accept(e);
            throw e;
        }
    }

    private void stepOrPause() {
        try {
            try {
                step.run();
                failures.worked();
                problem = Optional.empty();
            } catch (IOException | RuntimeException e) {
                pauseAfter(e);
            }
        } catch (InterruptedException e) {
            if (closed.getCount() > 0) {
                // Only a close may end the loop. Any other interrupt ends one step.
                log.interrupted(thread.getName());
            }
        }
    }

    /** Waits for the pause after a failure; ends early when the loop is closed. */
    private void pauseAfter(Exception e) throws InterruptedException {
        long inARow = failures.failed(e);
        if (inARow >= FAILURES_TOLD) {
            problem = Optional.of("%s failed %d times in a row, lately: %s".formatted(thread.getName(), inARow, e));
        }
        pause.await(closed, backOff.millis(inARow));
    }

    private static void await(CountDownLatch closed, long millis) throws InterruptedException {
        boolean unused = closed.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Ends the thread without waiting for it; interrupts its step, unless the step finishes its work first. */
    public void end() {
        closed.countDown();
        wake.ifPresentOrElse(Runnable::run, thread::interrupt);
    }

    /** Ends the thread and waits until it has ended. */
    @Override
    public void close() {
        end();
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
