// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The delayed tasks of a client. A close of the client runs another task for each of them. Thread-safe. */
final class ClientTimer implements AutoCloseable {
    private final ScheduledExecutorService timer;
    /** The tasks for the close, one for each delayed task that has not begun. */
    private final Map<Object, Runnable> ends = new ConcurrentHashMap<>();

    ClientTimer(ScheduledExecutorService timer) {
        this.timer = timer;
    }

    /**
     * Runs a task later, or another one when the client is closed before: one of both, once.
     *
     * @param atEnd runs on the thread that closes the client, or on this one if it is closed
     */
    void later(long millis, Runnable task, Runnable atEnd) {
        Object key = new Object();
        ends.put(key, atEnd);
        try {
            ScheduledFuture<?> unused = timer.schedule(
                    () -> {
                        if (ends.remove(key) != null) {
                            task.run();
                        }
                    },
                    millis,
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            end(key);
        }
    }

    private void end(Object key) {
        Runnable atEnd = ends.remove(key);
        if (atEnd != null) {
            atEnd.run();
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
        // A task that is added meanwhile is rejected, and ends there.
        ends.keySet().forEach(this::end);
    }
}
