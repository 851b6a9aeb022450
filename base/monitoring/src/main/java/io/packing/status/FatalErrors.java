package io.packing.status;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;

/**
 * What a daemon does with exceptions that its threads do not catch: it logs them, and ends with a line on standard error when
 * it cannot be trusted to go on. It may try to stop as on SIGTERM, for a while; then it halts.
 */
public final class FatalErrors implements Thread.UncaughtExceptionHandler {
    /** The exit code of a daemon that ended itself. */
    public static final int EXIT = 1;

    private static final long STOP_SECONDS = 10;

    private final String daemon;
    private final BiConsumer<String, Throwable> log;
    private final IntConsumer exit;
    private final IntConsumer halt;
    private final long stopSeconds;
    private final CountDownLatch fatal = new CountDownLatch(1);

    FatalErrors(
            String daemon, BiConsumer<String, Throwable> log, IntConsumer exit, IntConsumer halt, long stopSeconds) {
        this.daemon = daemon;
        this.log = log;
        this.exit = exit;
        this.halt = halt;
        this.stopSeconds = stopSeconds;
        // Now: a process without memory may not be able to start a thread.
        Thread watcher = new Thread(this::endWhenFatal, "fatal-errors");
        watcher.setDaemon(true);
        watcher.start();
    }

    /**
     * Becomes the handler of all threads of this process that have none of their own.
     *
     * @param daemon what this process is, for its last line
     * @param log takes a message and what was thrown
     */
    public static void install(String daemon, BiConsumer<String, Throwable> log) {
        Thread.setDefaultUncaughtExceptionHandler(
                new FatalErrors(daemon, log, System::exit, Runtime.getRuntime()::halt, STOP_SECONDS));
    }

    /** Whether a process in which this was thrown may have lost any of its threads, or the rest of what it was doing. */
    public static boolean isFatal(Throwable failure) {
        return failure instanceof VirtualMachineError || failure instanceof LinkageError;
    }

    @Override
    public void uncaughtException(Thread thread, Throwable failure) {
        try {
            log.accept("thread %s ended".formatted(thread.getName()), failure);
            if (isFatal(failure)) {
                System.err.printf(
                        "packing: %s ends: thread %s ended with %s%n", daemon, thread.getName(), failure.toString());
                System.err.flush();
            }
        } catch (Throwable alsoFatal) {
            // Saying it is not possible any more; ending is.
            endIfFatal(alsoFatal);
        }
        endIfFatal(failure);
    }

    private void endIfFatal(Throwable failure) {
        if (isFatal(failure)) {
            fatal.countDown();
        }
    }

    private void endWhenFatal() {
        boolean interrupted = false;
        try {
            fatal.await();
            // On a thread of its own: what stops may never return, such as when it waits for the thread that ended.
            Thread stop = new Thread(() -> exit.accept(EXIT), "stop-after-error");
            stop.setDaemon(true);
            stop.start();
            stop.join(TimeUnit.SECONDS.toMillis(stopSeconds) + 1);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (Throwable e) {
            // Halting is all that is left.
            endIfFatal(e);
        }
        if (!interrupted || fatal.getCount() == 0) {
            halt.accept(EXIT);
        }
    }
}
