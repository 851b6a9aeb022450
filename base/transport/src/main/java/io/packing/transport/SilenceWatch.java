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
 * Looks again and again whether servers have fallen silent, for as long as one of them owes answers. While none does, nothing
 * runs: a thread that wakes often slows what else the machine does. Thread-safe.
 */
public final class SilenceWatch {
    private static final Logger LOG = LoggerFactory.getLogger(SilenceWatch.class);
    /** Between two looks. */
    static final long LOOK_MILLIS = 250;

    private final ScheduledExecutorService timer;
    private final LongSupplier nanoClock;
    private final List<Runnable> looks = new CopyOnWriteArrayList<>();
    /** Servers that owe answers. */
    private final AtomicInteger owing = new AtomicInteger();

    private final AtomicBoolean scheduled = new AtomicBoolean();

    /** @param timer runs the looks; none is after it was shut down */
    public SilenceWatch(ScheduledExecutorService timer, LongSupplier nanoClock) {
        this.timer = timer;
        this.nanoClock = nanoClock;
    }

    /** From now on every look does this as well. */
    public void add(Runnable look) {
        looks.add(look);
    }

    /** Of one more server. */
    public Silence silence() {
        return new Silence(nanoClock, this);
    }

    /** A server that owed nothing does. */
    void owes() {
        int unused = owing.incrementAndGet();
        lookLater();
    }

    /** A server that owed answers has given the last of them. */
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
            LOG.debug("nobody looks any more: the channels are being closed");
        }
    }

    private void lookAtAll() {
        try {
            looks.forEach(SilenceWatch::look);
        } finally {
            scheduled.set(false);
            // Whoever came to owe something before that found a look scheduled.
            if (owing.get() > 0) {
                lookLater();
            }
        }
    }

    private static void look(Runnable look) {
        try {
            look.run();
        } catch (RuntimeException e) {
            // The next look may be better. Until then calls end by their own deadlines, or with the connection.
            LOG.warn("whether a server is silent could not be found out", e);
        }
    }
}
