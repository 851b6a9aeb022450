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
 * A thread that repeats a step until it is closed. A step that fails is tried again, less and less often; of failures in a row
 * the first is logged, and then ever fewer, with their number, and after some of them {@link #problem} tells. So is one that found no
 * memory outside of the heap. Any other {@link Error} ends the thread: whoever started it is told, so that nobody waits for it, and then the thread's handler of uncaught
 * exceptions.
 */
final class Loop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
    /** Failures in a row after which it is worth an operator's look: a single one is mended by the next try. */
    static final int FAILURES_TOLD = 3;
    /** The pause after a failure doubles up to so many times the first one. */
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
    /** What ends the wait of a step that must not be interrupted at its work. */
    private volatile Optional<Runnable> wake = Optional.empty();

    private volatile Optional<String> problem = Optional.empty();
    /** Steps that failed since the last one that did not. Confined to the thread. */
    private int failures;

    private Loop(String name, long retryMillis, Step step, Consumer<Throwable> died) {
        this.retryMillis = retryMillis;
        this.step = step;
        this.died = died;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /** @param died told, on the loop's thread, of the error that ends it */
    static Loop start(String name, long retryMillis, Step step, Consumer<Throwable> died) {
        Loop loop = new Loop(name, retryMillis, step, died);
        loop.thread.start();
        return loop;
    }

    /**
     * Its close waits for the step at work instead of interrupting it.
     *
     * @param wakeIt lets a step return that waits for work
     */
    Loop finishingItsStep(Runnable wakeIt) {
        wake = Optional.of(wakeIt);
        return this;
    }

    /** Why it does not do its work: it ended, or fails again and again. */
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
                // Only a close may end the loop. Whoever else interrupts it interrupts one step.
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

    /** Ends early when the loop is closed. */
    private void pause() throws InterruptedException {
        if (closed.await(pauseMillis(retryMillis, failures), TimeUnit.MILLISECONDS)) {
            LOG.debug("{} ends", thread.getName());
        }
    }

    /** How long to wait after so many failures in a row. */
    static long pauseMillis(long first, int failures) {
        return first * Math.min(LONGEST_PAUSE, 1L << Math.min(failures - 1, 30));
    }

    /** Tells the thread to end; a step that is at work is interrupted, unless it was asked to finish. */
    void end() {
        closed.countDown();
        wake.ifPresentOrElse(Runnable::run, thread::interrupt);
    }

    /** Ends the thread and waits for that. */
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
