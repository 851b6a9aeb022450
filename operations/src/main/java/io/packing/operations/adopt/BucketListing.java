// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.adopt;

import io.packing.store.BucketPage;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import io.packing.worker.api.Awaited;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The objects of a source in the order of their keys. A thread lists ahead of the caller, since each page needs the one before. */
final class BucketListing implements AutoCloseable {
    /** The pages that wait for the caller, of a thousand objects each. */
    private static final int MOST_PAGES = 50;

    private static final long LOOK_MILLIS = 100;

    private final BlockingQueue<List<ObjectInfo>> pages = new ArrayBlockingQueue<>(MOST_PAGES);
    private final ExecutorService ahead = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "adopt-list");
        thread.setDaemon(true);
        return thread;
    });
    private final Future<Boolean> listed;
    private final Queue<ObjectInfo> page = new ArrayDeque<>();

    /** Begins to list. */
    BucketListing(ObjectStore store, AdoptionSource source) {
        this.listed = ahead.submit(() -> list(store, source));
    }

    private boolean list(ObjectStore store, AdoptionSource source) throws IOException, InterruptedException {
        Optional<String> next = Optional.empty();
        do {
            BucketPage answer = store.listBucket(source.bucket(), source.prefix(), next);
            if (!answer.objects().isEmpty()) {
                pages.put(answer.objects());
            }
            next = answer.next();
        } while (next.isPresent());
        return true;
    }

    /** Returns the next object; empty at the end. */
    Optional<ObjectInfo> next() throws IOException {
        while (page.isEmpty()) {
            // The order matters: pages that came before the end are seen after it.
            boolean ended = listed.isDone();
            List<ObjectInfo> more = take();
            if (more.isEmpty() && ended) {
                boolean unused = Awaited.get(listed, "listing the bucket");
                return Optional.empty();
            }
            page.addAll(more);
        }
        return Optional.ofNullable(page.poll());
    }

    private List<ObjectInfo> take() throws IOException {
        try {
            List<ObjectInfo> more = pages.poll(listed.isDone() ? 0 : LOOK_MILLIS, TimeUnit.MILLISECONDS);
            return more == null ? List.of() : more;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while listing the bucket");
        }
    }

    @Override
    public void close() {
        List<Runnable> unused = ahead.shutdownNow();
    }
}
