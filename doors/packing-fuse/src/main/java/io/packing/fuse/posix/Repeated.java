// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that a timer repeats even after it throws: a timer drops a task that threw, without a message. It logs
 * exceptions; errors go to the thread's handler of uncaught exceptions, which may end the process.
 */
public record Repeated(String name, Runnable work) implements Runnable {
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
