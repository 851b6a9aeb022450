// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.cache;

import io.packing.cache.RequestHistory;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.Manifest;
import io.packing.registry.store.BlobContent;
import io.packing.registry.store.Blobs;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the layers of a pulled manifest into the cache, before its user asks for them (DupHunter, §4.2.4). It leaves
 * out those that the user pulled before. The manifest lists the layers of an image, so there is no ILmap beside it.
 * Only this process remembers which user pulled which layers; a process that does not know it prefetches too much, and
 * nothing wrong. Thread-safe.
 */
public final class Prefetch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Prefetch.class);
    private static final int MOST_USERS = 10_000;
    private static final int MOST_LAYERS = 10_000;
    /** The most layers that are fetched at a time, and the most that wait. */
    private static final int FETCHING = 4;

    private static final int WAITING = 1_000;
    /** The most pulled layers that are taken in at a time. */
    private static final int FILLING = 4;

    private final LayerCache cache;
    private final LayerCacheOptions.Users users;
    private final Blobs blobs;
    private final CacheListener listener;
    private final RequestHistory<String, Digest> pulled = new RequestHistory<>(MOST_USERS, MOST_LAYERS);
    private final ThreadPoolExecutor fetching;
    private final ThreadPoolExecutor filling;

    /** @param cache is closed with this */
    public Prefetch(
            LayerCache cache,
            Blobs blobs,
            LayerCacheOptions.Users users,
            CacheListener listener,
            ThreadFactory threads) {
        this.cache = cache;
        this.users = users;
        this.blobs = blobs;
        this.listener = listener;
        this.fetching = new ThreadPoolExecutor(
                FETCHING, FETCHING, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), threads);
        this.filling = new ThreadPoolExecutor(0, FILLING, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), threads);
    }

    /**
     * Returns the key of a user.
     *
     * @param address of the client
     * @param name that the client gave and proved
     */
    public String user(String address, Supplier<Optional<String>> name) {
        // A name cannot look like the address of another client.
        Optional<String> known = users == LayerCacheOptions.Users.NAME ? name.get() : Optional.empty();
        return known.map(each -> "name " + each).orElse(address);
    }

    /** Notes that a user pulls a manifest. */
    public void manifestPulled(String user, String repository, Manifest manifest) {
        for (Digest digest : pulled.notAsked(user, manifest.blobs())) {
            if (!cache.has(digest)) {
                try {
                    fetching.execute(() -> fetch(repository, digest));
                } catch (RejectedExecutionException e) {
                    listener.skipped();
                }
            }
        }
    }

    private void fetch(String repository, Digest digest) {
        try {
            Optional<BlobContent> stored = blobs.find(repository, digest);
            stored.ifPresent(content -> cache.prefetch(digest, content));
        } catch (IOException | RuntimeException e) {
            listener.failed();
            LOG.debug("blob {} was not prefetched", digest, e);
        }
    }

    /** Notes that a user pulls a whole blob; returns the source of its bytes. */
    public BlobContent blobPulled(String user, Digest digest, BlobContent stored) {
        boolean unused = pulled.ask(user, digest);
        return cache.pull(digest, stored, filling);
    }

    /** Drops a blob of the cache that had wrong bytes. */
    public void wrongBytes(Digest digest) {
        cache.drop(digest);
    }

    @Override
    public void close() throws IOException {
        fetching.shutdownNow();
        filling.shutdownNow();
        cache.close();
    }
}
