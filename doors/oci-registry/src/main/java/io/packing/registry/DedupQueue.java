package io.packing.registry;

import io.packing.registry.dedup.DedupCase;
import io.packing.registry.dedup.DedupEngine;
import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pushed blobs that wait to be split, by one thread behind the requests. What is lost with the process, or does not fit, stays
 * whole in the mount until a sweep finds it.
 */
final class DedupQueue implements Consumer<Digest>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DedupQueue.class);
    private static final int MOST_WAITING = 10_000;

    private final DedupEngine engine;
    private final RegistryMetrics metrics;
    private final ThreadPoolExecutor thread;
    private int waiting;

    DedupQueue(DedupEngine engine, RegistryMetrics metrics) {
        this.engine = engine;
        this.metrics = metrics;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_WAITING),
                task -> new Thread(task, "registry-dedup"));
        metrics.watchWaiting(this::waiting);
    }

    @Override
    public void accept(Digest digest) {
        count(1);
        try {
            thread.execute(() -> {
                try {
                    examine(digest);
                } finally {
                    count(-1);
                }
            });
        } catch (RejectedExecutionException e) {
            count(-1);
            metrics.notExamined("full");
        }
    }

    /** Takes a blob when half of the queue is free: pushes need it, too. */
    void acceptLater(Digest digest) throws InterruptedIOException {
        synchronized (this) {
            while (waiting >= MOST_WAITING / 2) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException("the registry stops");
                }
            }
        }
        accept(digest);
    }

    private void examine(Digest digest) {
        try {
            Optional<DedupCase> found = engine.examine(digest);
            found.ifPresent(metrics::examined);
        } catch (IOException | RuntimeException e) {
            metrics.notExamined("failed");
            LOG.warn("blob {} stays whole: it could not be split", digest, e);
        }
    }

    private synchronized void count(int by) {
        waiting += by;
        notifyAll();
    }

    /** Blobs that wait. */
    synchronized int waiting() {
        return waiting;
    }

    /** Waits until no blob waits. */
    synchronized void await() throws InterruptedException {
        while (waiting > 0) {
            wait();
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
