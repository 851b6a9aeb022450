package io.packing.worker;

import io.packing.bdt.UnavailableException;
import io.packing.store.StoreUnavailableException;
import io.packing.transport.DirectMemory;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that repeats a step until it is closed. It repeats a step that fails after a pause, which grows. It logs the
 * first of several failures in a row, and then ever fewer with their number; after some of them {@link #problem}
 * returns the last one. A lack of memory outside of the heap counts as such a failure. Any other {@link Error} ends the
 * thread: first the loop's owner learns of it, who fails the waiting callers, and then the thread's handler of uncaught
 * exceptions.
 */
final class Loop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
    /** The failures in a row that become a problem for the operator: the next try mends a single one. */
    static final int FAILURES_TOLD = 3;
    /** The longest pause after failures, as a multiple of the first one; the pause doubles up to it. */
    private static final int LONGEST_PAUSE = 16;

    /** One step of the loop. */
    interface Step {
        void run() throws IOException, InterruptedException;
    }

    private final Thread thread;
    private final long retryMillis;
    private final Step step;
    private final Consumer<Throwable> died;
    private final CountDownLatch closed = new CountDownLatch(1);
    /** The task that ends the wait of a step; present if a close must not interrupt the step. */
    private volatile Optional<Runnable> wake = Optional.empty();

    private volatile Optional<String> problem = Optional.empty();
    /** The steps that failed since the last one that succeeded. Confined to the thread. */
    private int failures;

    private Loop(String name, long retryMillis, Step step, Consumer<Throwable> died) {
        this.retryMillis = retryMillis;
        this.step = step;
        this.died = died;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /** @param died receives the error that ends the loop, on its thread */
    static Loop start(String name, long retryMillis, Step step, Consumer<Throwable> died) {
        Loop loop = new Loop(name, retryMillis, step, died);
        loop.thread.start();
        return loop;
    }

    /**
     * Lets a close wait for the step at work instead of interrupting it.
     *
     * @param wakeIt makes a step that waits for work return
     */
    Loop finishingItsStep(Runnable wakeIt) {
        wake = Optional.of(wakeIt);
        return this;
    }

    /** Returns the reason why the loop does not do its work: it ended, or fails again and again. */
    Optional<String> problem() {
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
                worked();
            } catch (IOException | RuntimeException e) {
                failed(e);
                pause();
            } catch (OutOfMemoryError e) {
                if (!DirectMemory.isExhausted(e)) {
                    throw e;
                }
                failed(new IOException("there is no memory outside of the heap for a buffer", e));
                pause();
            }
        } catch (InterruptedException e) {
            if (closed.getCount() > 0) {
                // Only a close may end the loop. Any other interrupt ends one step.
                LOG.warn("{} was interrupted and goes on", thread.getName());
            }
        }
    }

    private void worked() {
        if (failures > 1) {
            LOG.info("{} works again after {} failures", thread.getName(), failures);
        }
        failures = 0;
        problem = Optional.empty();
    }

    private void failed(Exception e) {
        failures++;
        if (failures >= FAILURES_TOLD) {
            problem = Optional.of("%s failed %d times in a row, lately: %s".formatted(thread.getName(), failures, e));
        }
        boolean away = e instanceof StoreUnavailableException || e instanceof UnavailableException;
        if (failures == 1 && away) {
            LOG.warn("{}: {}; trying again", thread.getName(), e.getMessage());
        } else if (failures == 1) {
            LOG.error("{} failed; trying again", thread.getName(), e);
        } else if (Integer.bitCount(failures) == 1) {
            LOG.warn("{} failed {} times, now with {}; trying again", thread.getName(), failures, e.toString());
        }
    }

    /** Waits for the pause after a failure; ends early when the loop is closed. */
    private void pause() throws InterruptedException {
        if (closed.await(pauseMillis(retryMillis, failures), TimeUnit.MILLISECONDS)) {
            LOG.debug("{} ends", thread.getName());
        }
    }

    /** Returns the pause after so many failures in a row. */
    static long pauseMillis(long first, int failures) {
        return first * Math.min(LONGEST_PAUSE, 1L << Math.min(failures - 1, 30));
    }

    /** Ends the thread without waiting for it; interrupts its step, unless the step finishes its work first. */
    void end() {
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
