package io.packing.registry.cache;

import io.packing.cache.AskedBefore;
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
 * Takes the layers of a manifest that is pulled into the cache, before its user asks for them, but for those that the same user pulled
 * before (DupHunter, §4.2.4). What an image has is in its manifest, so there is no ILmap beside it; who pulled what is remembered by this
 * process only, and a process that does not know it prefetches too much, and nothing wrong. Thread-safe.
 */
public final class Prefetch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Prefetch.class);
    private static final int MOST_USERS = 10_000;
    private static final int MOST_LAYERS = 10_000;
    /** Layers that are fetched at the same time, and that wait. */
    private static final int FETCHING = 4;

    private static final int WAITING = 1_000;
    /** Pulled layers that are taken in at the same time. */
    private static final int FILLING = 4;

    private final LayerCache cache;
    private final CacheConfig.Users users;
    private final Blobs blobs;
    private final CacheListener listener;
    private final AskedBefore<String, Digest> pulled = new AskedBefore<>(MOST_USERS, MOST_LAYERS);
    private final ThreadPoolExecutor fetching;
    private final ThreadPoolExecutor filling;

    /** @param cache is closed with this */
    public Prefetch(
            LayerCache cache, Blobs blobs, CacheConfig.Users users, CacheListener listener, ThreadFactory threads) {
        this.cache = cache;
        this.users = users;
        this.blobs = blobs;
        this.listener = listener;
        this.fetching = new ThreadPoolExecutor(
                FETCHING, FETCHING, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), threads);
        this.filling = new ThreadPoolExecutor(0, FILLING, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), threads);
    }

    /**
     * Who somebody is.
     *
     * @param address from which he asks
     * @param name that he gave and proved
     */
    public String user(String address, Supplier<Optional<String>> name) {
        // A name cannot look like an address of somebody else.
        Optional<String> known = users == CacheConfig.Users.NAME ? name.get() : Optional.empty();
        return known.map(each -> "name " + each).orElse(address);
    }

    /** A user pulls a manifest. */
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

    /** A user pulls a whole blob: where its bytes come from. */
    public BlobContent blobPulled(String user, Digest digest, BlobContent stored) {
        boolean unused = pulled.ask(user, digest);
        return cache.pull(digest, stored, filling);
    }

    /** A blob from the cache had wrong bytes. */
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
