package io.packing.registry;

import io.micrometer.core.instrument.MeterRegistry;
import io.packing.registry.access.Access;
import io.packing.registry.dedup.DedupEngine;
import io.packing.registry.dedup.Rebuilder;
import io.packing.registry.files.Layout;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.http.HttpFront;
import io.packing.registry.http.RegistryHandler;
import io.packing.registry.oci.Digest;
import io.packing.registry.store.Blobs;
import io.packing.registry.store.Manifests;
import io.packing.registry.store.Uploads;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A registry that serves until it is closed. All that it knows is in the mount. */
public final class RegistryServer implements AutoCloseable {
    /** Slices and contents of layers under way, of all requests. */
    private static final int SLICE_THREADS = 16;

    private final HttpFront http;
    private final ExecutorService slices;
    private final Optional<DedupQueue> dedup;

    private RegistryServer(HttpFront http, ExecutorService slices, Optional<DedupQueue> dedup) {
        this.http = http;
        this.slices = slices;
        this.dedup = dedup;
    }

    /**
     * Starts a registry; when this returns it answers.
     *
     * @param files of the mount; whoever opened it closes it, after the registry
     */
    public static RegistryServer start(RegistryConfig config, RegistryFiles files, Access access, MeterRegistry meters)
            throws IOException {
        RegistryMetrics metrics = new RegistryMetrics(meters);
        Layout layout = new Layout(config.base());
        Supplier<String> ids = () -> UUID.randomUUID().toString();
        ExecutorService slices = Executors.newFixedThreadPool(SLICE_THREADS, named("registry-slice-"));
        ReadAhead readAhead = new ReadAhead(slices, config.readAhead());
        Rebuilder rebuilder = new Rebuilder(files, layout, readAhead);
        Blobs blobs = new Blobs(files, layout, rebuilder, readAhead);
        Uploads uploads = new Uploads(files, layout, blobs, readAhead, ids);
        Manifests manifests = new Manifests(files, layout, ids);
        Optional<DedupQueue> dedup = config.dedup()
                .map(limits -> new DedupQueue(new DedupEngine(files, layout, rebuilder, slices, ids, limits), metrics));
        Consumer<Digest> pushed = digest -> dedup.ifPresent(queue -> queue.accept(digest));
        RegistryHandler handler =
                new RegistryHandler(blobs, uploads, manifests, access, config.readOnly(), pushed, metrics);
        try {
            HttpFront http = HttpFront.start(config.host(), config.port(), handler, config.tls());
            return new RegistryServer(http, slices, dedup);
        } catch (IOException | RuntimeException e) {
            dedup.ifPresent(DedupQueue::close);
            slices.shutdownNow();
            throw e;
        }
    }

    private static ThreadFactory named(String prefix) {
        AtomicInteger next = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + next.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Where it listens. */
    public URI uri() {
        return http.uri();
    }

    /** Waits until every pushed blob was split, or left as it is. */
    public void awaitDedup() throws InterruptedException {
        if (dedup.isPresent()) {
            dedup.get().await();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            http.close();
        } finally {
            dedup.ifPresent(DedupQueue::close);
            slices.shutdownNow();
        }
    }
}
