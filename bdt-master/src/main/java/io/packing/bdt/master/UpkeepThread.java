// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that does a mount's upkeep: soon after the table has changed, and now and then for what is due by its time. It
 * waits for changes instead of looking for them: a thread that wakes often slows the machine's other work. Thread-safe.
 */
final class UpkeepThread {
    private static final Logger LOG = LoggerFactory.getLogger(UpkeepThread.class);
    /** The usual longest wait: nothing is due at a time that must be met better. */
    static final Duration LONGEST = Duration.ofSeconds(1);
    /** Changes of so long are looked at together. */
    private static final long TOGETHER_MILLIS = 100;

    private final String mount;
    private final BooleanSupplier upkeep;
    private final long longestMillis;
    private final Runnable afterStep;
    private final Runnable onEnd;
    private final Thread thread;
    private final CountDownLatch stopSignal = new CountDownLatch(1);
    private final Semaphore changed = new Semaphore(0);
    private volatile Optional<String> ended = Optional.empty();

    /**
     * @param upkeep does a bounded piece; tells whether there was any
     * @param longest without a step
     * @param afterStep is run after each step, on this thread
     * @param onEnd is run when the thread ends with an error
     */
    UpkeepThread(String mount, BooleanSupplier upkeep, Duration longest, Runnable afterStep, Runnable onEnd) {
        this.mount = mount;
        this.upkeep = upkeep;
        this.longestMillis = longest.toMillis();
        this.afterStep = afterStep;
        this.onEnd = onEnd;
        this.thread = new Thread(this::run, "bdt-upkeep-" + mount);
    }

    void start() {
        thread.start();
    }

    /** The table has changed: there may be something to do. */
    void changed() {
        // One permit is enough: the thread that takes it looks at everything.
        if (changed.availablePermits() == 0) {
            changed.release();
        }
    }

    /** Lets the thread end with the step that is under way. */
    void stop() {
        stopSignal.countDown();
        changed();
    }

    /** Waits for the end, at most so long; returns whether the thread has ended. An interrupt ends the waiting. */
    boolean awaitEnd(long millis) {
        return ended(thread, millis);
    }

    /** Breaks off what is under way. */
    void interrupt() {
        thread.interrupt();
    }

    /** Why there is no upkeep any more; empty while there is. */
    Optional<String> problem() {
        return ended;
    }

    private void run() {
        try {
            while (!isStopped()) {
                boolean worked = upkeep.getAsBoolean();
                afterStep.run();
                if (!worked) {
                    awaitChange();
                }
            }
        } catch (Throwable e) {
            if (isStopped() && e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
                return;
            }
            LOG.error("mount {}: its upkeep ends", mount, e);
            ended = Optional.of("its upkeep ended (%s); restart the master".formatted(e));
            onEnd.run();
        }
    }

    private boolean isStopped() {
        return stopSignal.getCount() == 0;
    }

    private void awaitChange() throws InterruptedException {
        if (!stopSignal.await(TOGETHER_MILLIS, TimeUnit.MILLISECONDS)) {
            boolean unused = changed.tryAcquire(longestMillis - TOGETHER_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Waits for the end of a thread; an interrupt ends the waiting. */
    static boolean ended(Thread thread, long millis) {
        try {
            thread.join(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
