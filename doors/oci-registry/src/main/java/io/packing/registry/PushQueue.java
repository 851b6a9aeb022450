package io.packing.registry;

import io.packing.registry.dedup.DedupCase;
import io.packing.registry.dedup.DedupEngine;
import io.packing.registry.http.PushListener;
import io.packing.registry.oci.Digest;
import io.packing.registry.translate.ImageTranslator;
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
 * What is done behind pushes, by one thread in the order of the pushes: blobs are split, and then the images that name them get their
 * trees and their other form. What is lost with the process, or does not fit, is left to a sweep.
 */
final class PushQueue implements PushListener, PushSweep.Found, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PushQueue.class);
    private static final int MOST_WAITING = 10_000;

    private final Optional<DedupEngine> engine;
    private final Optional<ImageTrees> trees;
    private final Optional<ImageTranslator> translator;
    private final RegistryMetrics metrics;
    private final ThreadPoolExecutor thread;
    private int waiting;

    /**
     * A queue whose thread is idle.
     *
     * @param engine empty: blobs stay as they are
     * @param trees empty: trees are left to whoever asks for one
     * @param translator empty: images are only as they were pushed
     */
    PushQueue(
            Optional<DedupEngine> engine,
            Optional<ImageTrees> trees,
            Optional<ImageTranslator> translator,
            RegistryMetrics metrics) {
        this.engine = engine;
        this.trees = trees;
        this.translator = translator;
        this.metrics = metrics;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_WAITING),
                task -> new Thread(task, "registry-pushed"));
        metrics.watchWaiting(this::waiting);
    }

    @Override
    public void blob(Digest digest) {
        if (engine.isPresent()) {
            run(() -> examine(engine.get(), digest), metrics::notExamined);
        }
    }

    @Override
    public void manifest(String repository, Digest digest) {
        if (trees.isPresent()) {
            run(() -> grow(trees.get(), repository, digest), metrics::notGrown);
        }
        if (translator.isPresent()) {
            run(() -> translate(translator.get(), repository, digest), metrics::notTranslated);
        }
    }

    private void run(Runnable work, Consumer<String> refused) {
        count(1);
        try {
            thread.execute(() -> {
                try {
                    work.run();
                } finally {
                    count(-1);
                }
            });
        } catch (RejectedExecutionException e) {
            count(-1);
            refused.accept("full");
        }
    }

    @Override
    public void leftBlob(Digest digest) throws InterruptedIOException {
        awaitRoom();
        blob(digest);
    }

    @Override
    public void leftManifest(String repository, Digest digest) throws InterruptedIOException {
        awaitRoom();
        manifest(repository, digest);
    }

    /** Waits until half of the queue is free: pushes need it, too. */
    private synchronized void awaitRoom() throws InterruptedIOException {
        while (waiting >= MOST_WAITING / 2) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("the registry stops");
            }
        }
    }

    private void examine(DedupEngine by, Digest digest) {
        try {
            Optional<DedupCase> found = by.examine(digest);
            found.ifPresent(metrics::examined);
        } catch (IOException | RuntimeException e) {
            metrics.notExamined("failed");
            LOG.warn("blob {} stays whole: it could not be split", digest, e);
        }
    }

    private void grow(ImageTrees by, String repository, Digest digest) {
        try {
            // What an untagged translation would show, the image that it is of shows.
            boolean needed = translator.isEmpty() || !translator.get().isUntaggedTranslation(repository, digest);
            if (needed && !by.isSettled(repository, digest)) {
                metrics.grown(by.make(repository, digest));
            }
        } catch (IOException | RuntimeException e) {
            metrics.notGrown("failed");
            LOG.warn("manifest {} of {} has no tree yet: it could not be made", digest, repository, e);
        }
    }

    private void translate(ImageTranslator by, String repository, Digest digest) {
        try {
            if (!by.isSettled(repository, digest)) {
                metrics.translated(by.translate(repository, digest));
            }
        } catch (IOException | RuntimeException e) {
            metrics.translated(ImageTranslator.Result.FAILED);
            LOG.warn("manifest {} of {} has no other form yet: it could not be made", digest, repository, e);
        }
    }

    private synchronized void count(int by) {
        waiting += by;
        notifyAll();
    }

    /** Blobs and manifests that wait. */
    synchronized int waiting() {
        return waiting;
    }

    /** Waits until none waits. */
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
