package io.packing.worker;

import io.packing.bdt.UnavailableException;
import io.packing.store.StoreUnavailableException;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that steps until it is closed. A failed step is repeated after a pause; of failures in a row the first is logged,
 * and then ever fewer, with their number.
 */
final class Loop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);

    /** One step of the loop. */
    interface Step {
        void run() throws IOException, InterruptedException;
    }

    private final Thread thread;
    private final long retryMillis;
    private final Step step;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean patient;
    /** Steps that failed since the last one that did not. Confined to the thread. */
    private long failures;

    private Loop(String name, long retryMillis, Step step) {
        this.retryMillis = retryMillis;
        this.step = step;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    static Loop start(String name, long retryMillis, Step step) {
        Loop loop = new Loop(name, retryMillis, step);
        loop.thread.start();
        return loop;
    }

    /** Its close waits for the step at work instead of interrupting it. */
    Loop finishingItsStep() {
        patient = true;
        return this;
    }

    private void run() {
        while (closed.getCount() > 0) {
            try {
                try {
                    step.run();
                    worked();
                } catch (IOException | RuntimeException e) {
                    failed(e);
                    pause();
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void worked() {
        if (failures > 1) {
            LOG.info("{} works again after {} failures", thread.getName(), failures);
        }
        failures = 0;
    }

    private void failed(Exception e) {
        failures++;
        boolean away = e instanceof StoreUnavailableException || e instanceof UnavailableException;
        if (failures == 1 && away) {
            LOG.warn("{}: {}; trying again", thread.getName(), e.getMessage());
        } else if (failures == 1) {
            LOG.error("{} failed; trying again", thread.getName(), e);
        } else if (Long.bitCount(failures) == 1) {
            LOG.warn("{} failed {} times, now with {}; trying again", thread.getName(), failures, e.toString());
        }
    }

    /** Ends early when the loop is closed. */
    private void pause() throws InterruptedException {
        if (closed.await(retryMillis, TimeUnit.MILLISECONDS)) {
            LOG.debug("{} ends", thread.getName());
        }
    }

    /** Tells the thread to end; a step that is at work is interrupted, unless it was asked to finish. */
    void end() {
        closed.countDown();
        if (!patient) {
            thread.interrupt();
        }
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
