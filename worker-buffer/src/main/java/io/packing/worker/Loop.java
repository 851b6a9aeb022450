package io.packing.worker;

import io.packing.bdt.UnavailableException;
import io.packing.store.StoreUnavailableException;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that steps until it is closed. A failed step is logged and repeated after a pause. */
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
                } catch (StoreUnavailableException | UnavailableException e) {
                    LOG.warn("{}: {}; trying again", thread.getName(), e.getMessage());
                    pause();
                } catch (IOException | RuntimeException e) {
                    LOG.error("{} failed; trying again", thread.getName(), e);
                    pause();
                }
            } catch (InterruptedException e) {
                return;
            }
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
