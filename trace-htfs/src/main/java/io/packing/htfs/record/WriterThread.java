// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs.record;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** The daemon thread that drains a process's events until it is closed. */
public final class WriterThread implements AutoCloseable {
    /**
     * The longest sleep. Waking up costs as much as a thousand events; a thread that fills half of a ring meanwhile
     * wakes the writer.
     */
    private static final long LONGEST_NANOS = 1_000_000_000L;

    private static final long SHORTEST_NANOS = 10_000_000L;

    private static final long CLOSE_WITHIN_MILLIS = 20_000;

    /**
     * The failed passes in a row after which the thread gives up: the process must not pay for a tracer that cannot
     * work.
     */
    private static final int MOST_FAILURES = 10;

    private final Passes passes;
    private final Consumer<String> warnings;
    private final long intervalNanos;
    private final Thread thread;
    private volatile boolean closing;
    private volatile boolean hurried;

    /** The passes of the thread: a {@link Drain}. */
    interface Passes {
        /** Runs one pass. */
        void step();

        /** Runs the last pass. */
        void finish();
    }

    /**
     * @param flushNanos time for which an event may be in memory only; the thread sleeps that long, but at most a
     *     second
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
            // A wait inside the pass may have consumed the wake-up that came meanwhile.
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

    /** Runs a pass, and reports its failure: the process belongs to the application, and goes on without its trace. */
    private boolean attempt(Runnable pass) {
        try {
            pass.run();
            return true;
        } catch (RuntimeException | Error e) {
            warnings.accept("HTFS failed to write its trace: " + e);
            return false;
        }
    }

    /** Writes the events recorded until now and ends the thread; stops waiting if the disk does not answer. */
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
