package io.packing.htfs.record;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** The daemon thread that drains a process's events until it is closed. */
public final class WriterThread implements AutoCloseable {
    /** Waking up costs as much as a thousand events; whoever fills half of a ring meanwhile ends the wait. */
    private static final long LONGEST_NANOS = 1_000_000_000L;

    private static final long SHORTEST_NANOS = 10_000_000L;

    private static final long CLOSE_WITHIN_MILLIS = 20_000;

    /** Passes that fail in a row before it gives up: the process must not pay for a tracer that cannot work. */
    private static final int MOST_FAILURES = 10;

    private final Passes passes;
    private final Consumer<String> warnings;
    private final long intervalNanos;
    private final Thread thread;
    private volatile boolean closing;
    private volatile boolean hurried;

    /** What the thread does: a {@link Drain}. */
    interface Passes {
        /** One pass. */
        void step();

        /** The last one. */
        void finish();
    }

    /**
     * @param flushNanos how long an event may be in memory only: the thread sleeps as long, but at most a second
     * @param warnings takes sentences for the process's own log
     */
    public WriterThread(Drain drain, long flushNanos, Consumer<String> warnings) {
        this(
                new Passes() {
                    @Override
                    public void step() {
                        int unused = drain.step();
                    }

                    @Override
                    public void finish() {
                        drain.finish();
                    }
                },
                flushNanos,
                warnings);
    }

    WriterThread(Passes passes, long flushNanos, Consumer<String> warnings) {
        this.passes = passes;
        this.warnings = warnings;
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
        int failures = 0;
        while (!closing && failures < MOST_FAILURES) {
            hurried = false;
            failures = attempt(passes::step) ? 0 : failures + 1;
            // Whatever a pass waits for inside may have used up the wake-up that came meanwhile.
            if (!hurried) {
                LockSupport.parkNanos(this, intervalNanos);
            }
        }
        if (failures == MOST_FAILURES) {
            warnings.accept(
                    "HTFS traces this process no more: its writer failed %d times in a row".formatted(failures));
        }
        boolean unused = attempt(passes::finish);
    }

    /** The process is somebody else's: whatever is thrown here is told, and the process goes on without its trace. */
    private boolean attempt(Runnable pass) {
        try {
            pass.run();
            return true;
        } catch (RuntimeException | Error e) {
            warnings.accept("HTFS failed to write its trace: " + e);
            return false;
        }
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
