// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import io.packing.registry.dedup.DedupCase;
import io.packing.registry.dedup.DedupEngine;
import io.packing.registry.http.PushListener;
import io.packing.registry.oci.Digest;
import io.packing.registry.translate.ImageTranslator;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work behind pushes, of each repository in the order of its pushes: blobs are split, and then the images that name
 * them get their trees and their other form. A repository whose layers take long holds no other one. A sweep does the
 * work that is lost with the process, or does not fit.
 */
final class PushQueue implements PushListener, PushSweep.UnfinishedWork, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PushQueue.class);
    private static final int MOST_WAITING = 10_000;
    /** Repositories at once; each may hold some 200 MB for a layer at its limits. */
    private static final int THREADS = 3;
    /** The owner of blobs that a sweep finds, which does not know their repositories. No repository is called so. */
    private static final String SWEPT = "";

    private final Optional<DedupEngine> engine;
    private final Optional<ImageTrees> trees;
    private final Optional<ImageTranslator> translator;
    private final RegistryMetrics metrics;
    private final FairQueue queue;

    /**
     * Makes a queue whose threads are idle.
     *
     * @param engine empty: blobs stay as they are
     * @param trees empty: trees are left to requests for containers
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
        this.queue = new FairQueue(task -> new Thread(task, "registry-pushed"), THREADS, MOST_WAITING);
        metrics.watchWaiting(this::waiting);
    }

    @Override
    public void blob(String repository, Digest digest) {
        if (engine.isPresent()) {
            run(repository, () -> examine(engine.get(), digest), metrics::notExamined);
        }
    }

    @Override
    public void manifest(String repository, Digest digest) {
        if (trees.isPresent()) {
            run(repository, () -> grow(trees.get(), repository, digest), metrics::notGrown);
        }
        if (translator.isPresent()) {
            run(repository, () -> translate(translator.get(), repository, digest), metrics::notTranslated);
        }
    }

    private void run(String repository, Runnable work, Consumer<String> refused) {
        if (!queue.offer(repository, work)) {
            refused.accept("full");
        }
    }

    @Override
    public void leftBlob(Digest digest) throws InterruptedIOException {
        awaitRoom();
        blob(SWEPT, digest);
    }

    @Override
    public void leftManifest(String repository, Digest digest) throws InterruptedIOException {
        awaitRoom();
        manifest(repository, digest);
    }

    /** Waits until half of the queue is free: pushes need it, too. */
    private void awaitRoom() throws InterruptedIOException {
        try {
            queue.await(MOST_WAITING / 2 - 1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the registry stops");
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
            // An untagged translation shows the same tree as its image.
            boolean needed = translator.isEmpty() || !translator.get().isUntaggedTranslation(repository, digest);
            if (needed && !by.isSettled(repository, digest)) {
                metrics.grown(make(by, repository, digest));
            }
        } catch (IOException | RuntimeException e) {
            metrics.notGrown("failed");
            LOG.warn("manifest {} of {} has no tree yet: it could not be made", digest, repository, e);
        }
    }

    private static ImageTrees.Result make(ImageTrees by, String repository, Digest digest) throws IOException {
        try {
            return by.make(repository, digest);
        } catch (FileNotFoundException e) {
            // A layer that the push of another repository has split meanwhile: its recipe is there now.
            return by.make(repository, digest);
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

    /** Blobs and manifests that wait. */
    int waiting() {
        return queue.waiting();
    }

    /** Waits until none waits. */
    void await() throws InterruptedException {
        queue.await(0);
    }

    @Override
    public void close() {
        queue.close();
    }
}
