package io.packing.htfs.record;

import java.util.concurrent.locks.LockSupport;

/** The daemon thread that drains a process's events until it is closed. */
public final class WriterThread implements AutoCloseable {
    /** Waking up costs as much as a thousand events; whoever fills half of a ring meanwhile ends the wait. */
    private static final long LONGEST_NANOS = 1_000_000_000L;

    private static final long SHORTEST_NANOS = 10_000_000L;

    private static final long CLOSE_WITHIN_MILLIS = 20_000;

    private final Drain drain;
    private final long intervalNanos;
    private final Thread thread;
    private volatile boolean closing;
    private volatile boolean hurried;

    /** @param flushNanos how long an event may be in memory only: the thread sleeps as long, but at most a second */
    public WriterThread(Drain drain, long flushNanos) {
        this.drain = drain;
        this.intervalNanos = Math.max(SHORTEST_NANOS, Math.min(LONGEST_NANOS, flushNanos));
        thread = new Thread(this::run, "htfs-writer");
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** Asks for a pass before the interval is over. */
    public void hurry() {
        if (!hurried) {
            hurried = true;
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        while (!closing) {
            hurried = false;
            drain.step();
            // Whatever a pass waits for inside may have used up the wake-up that came meanwhile.
            if (!hurried) {
                LockSupport.parkNanos(this, intervalNanos);
            }
        }
        drain.finish();
    }

    /** Writes what was recorded until now and ends the thread; gives up waiting when the disk does not answer. */
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        try {
            thread.join(CLOSE_WITHIN_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
