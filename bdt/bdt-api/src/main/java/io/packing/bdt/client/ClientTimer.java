package io.packing.bdt.client;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** What a client does later. Whoever waits for that is told when the client is closed before. Thread-safe. */
final class ClientTimer implements AutoCloseable {
    private final ScheduledExecutorService timer;
    /** What is to be done at an end instead of each task that has not begun. */
    private final Map<Object, Runnable> ends = new ConcurrentHashMap<>();

    ClientTimer(ScheduledExecutorService timer) {
        this.timer = timer;
    }

    /**
     * Does something later, or something else when the client is closed before: one of both, once.
     *
     * @param atEnd by the thread that closes the client, or by this one if that has happened
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
        // One that is added meanwhile is rejected, and ends there.
        ends.keySet().forEach(this::end);
    }
}
