package io.packing.posix;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that a timer repeats however often it throws: a timer forgets work that threw once, and says nothing. Failures are logged;
 * of errors the thread's handler of uncaught exceptions is told, which may end the process.
 */
record Repeated(String name, Runnable work) implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Repeated.class);

    @Override
    public void run() {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.error("{} failed; tried again", name, e);
        } catch (Error e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }
}
