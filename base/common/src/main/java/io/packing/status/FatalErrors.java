// SPDX-License-Identifier: Apache-2.0
package io.packing.status;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;

/**
 * A daemon's handler of exceptions that its threads do not catch. It logs each; after a fatal one it writes a line to
 * standard error and ends the daemon. It tries for a while to stop as on SIGTERM; then it halts.
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
        // Started now, since a process without memory may not be able to start a thread.
        Thread watcher = new Thread(this::endWhenFatal, "fatal-errors");
        watcher.setDaemon(true);
        watcher.start();
    }

    /**
     * Becomes the handler of all threads of this process that have none of their own.
     *
     * @param daemon the name of this process, for its last line
     * @param log takes a message and the failure
     */
    public static void install(String daemon, BiConsumer<String, Throwable> log) {
        Thread.setDefaultUncaughtExceptionHandler(
                new FatalErrors(daemon, log, System::exit, Runtime.getRuntime()::halt, STOP_SECONDS));
    }

    /** Returns whether a process that threw this may have lost a thread, or may have left work half done. */
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
            // The log fails too; the daemon can still end.
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
            // On its own thread, since the stop may never return: it may wait for the thread that ended.
            Thread stop = new Thread(() -> exit.accept(EXIT), "stop-after-error");
            stop.setDaemon(true);
            stop.start();
            stop.join(TimeUnit.SECONDS.toMillis(stopSeconds) + 1);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (Throwable e) {
            // The watcher can only halt now.
            endIfFatal(e);
        }
        if (!interrupted || fatal.getCount() == 0) {
            halt.accept(EXIT);
        }
    }
}
