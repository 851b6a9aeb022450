// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A periodic check for silent servers, which runs for as long as one of them owes answers. Otherwise it does not run: a
 * thread that wakes often slows the other work of the machine. Thread-safe.
 */
public final class SilentServerWatch {
    private static final Logger LOG = LoggerFactory.getLogger(SilentServerWatch.class);
    /** The time between two checks. */
    static final long LOOK_MILLIS = 250;

    private final ScheduledExecutorService timer;
    private final LongSupplier nanoClock;
    private final List<Runnable> looks = new CopyOnWriteArrayList<>();
    /** The number of servers that owe answers. */
    private final AtomicInteger owing = new AtomicInteger();

    private final AtomicBoolean scheduled = new AtomicBoolean();

    /**
     * Creates a watch.
     *
     * @param timer runs the checks; after its shutdown none runs
     */
    public SilentServerWatch(ScheduledExecutorService timer, LongSupplier nanoClock) {
        this.timer = timer;
        this.nanoClock = nanoClock;
    }

    /** Adds a check, which runs every time from now on. */
    public void add(Runnable look) {
        looks.add(look);
    }

    /** Makes a detector for one more server. */
    public SilenceDetector silence() {
        return new SilenceDetector(nanoClock, this);
    }

    /** Notes that a server that owed nothing owes an answer. */
    void owes() {
        int unused = owing.incrementAndGet();
        lookLater();
    }

    /** Notes that a server has given the last answer that it owed. */
    void owesNothing() {
        int unused = owing.decrementAndGet();
    }

    private void lookLater() {
        if (!scheduled.compareAndSet(false, true)) {
            return;
        }
        try {
            ScheduledFuture<?> unused = timer.schedule(this::lookAtAll, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("checks for silent servers end: the channels are being closed");
        }
    }

    private void lookAtAll() {
        try {
            looks.forEach(SilentServerWatch::look);
        } finally {
            scheduled.set(false);
            // A server that owed nothing before this line saw a scheduled check and scheduled none.
            if (owing.get() > 0) {
                lookLater();
            }
        }
    }

    private static void look(Runnable look) {
        try {
            look.run();
        } catch (RuntimeException e) {
            // The next check may succeed. Until then calls end by their own deadlines, or with the connection.
            LOG.warn("a check for silent servers failed", e);
        }
    }
}
