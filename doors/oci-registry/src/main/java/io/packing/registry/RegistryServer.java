// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import io.micrometer.core.instrument.MeterRegistry;
import io.packing.registry.access.Access;
import io.packing.registry.cache.LayerCache;
import io.packing.registry.cache.LayerCacheOptions;
import io.packing.registry.cache.Prefetch;
import io.packing.registry.dedup.DedupEngine;
import io.packing.registry.dedup.DedupLimits;
import io.packing.registry.dedup.LayerTranslator;
import io.packing.registry.dedup.LeanLayers;
import io.packing.registry.dedup.NodeSplit;
import io.packing.registry.dedup.Rebuilder;
import io.packing.registry.files.Layout;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.http.RegistryHandler;
import io.packing.registry.nodes.RegistryNode;
import io.packing.registry.store.Blobs;
import io.packing.registry.store.Catalog;
import io.packing.registry.store.Manifests;
import io.packing.registry.store.Uploads;
import io.packing.registry.translate.ImageTranslator;
import io.packing.registry.web.HttpFront;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A registry that serves until it is closed. All that it knows is in the mount. */
public final class RegistryServer implements AutoCloseable {
    /** Slices and contents of layers under way, of all requests. */
    private static final int SLICE_THREADS = 16;
    /** The interval in which one registry of a store looks for unfinished work of the others. */
    private static final Duration SWEEP_EVERY = Duration.ofHours(1);

    /** The interval in which the nodes look for missing replicas of layers. */
    private static final Duration MEND_EVERY = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(RegistryServer.class);

    private final HttpFront http;
    private final Work work;

    private RegistryServer(HttpFront http, Work work) {
        this.http = http;
        this.work = work;
    }

    /** The work behind the requests. */
    private record Work(
            ExecutorService slices,
            PushQueue pushed,
            Optional<Prefetch> prefetch,
            ScheduledExecutorService upkeep,
            Optional<RegistryNode> node)
            implements AutoCloseable {
        @Override
        public void close() throws IOException {
            upkeep.shutdownNow();
            pushed.close();
            slices.shutdownNow();
            try {
                if (prefetch.isPresent()) {
                    prefetch.get().close();
                }
            } finally {
                if (node.isPresent()) {
                    node.get().close();
                }
            }
        }
    }

    /**
     * Starts a registry; when this returns it answers.
     *
     * @param files of the mount; the caller closes it after the registry
     */
    public static RegistryServer start(RegistryOptions config, RegistryFiles files, Access access, MeterRegistry meters)
            throws IOException {
        return start(config, files, Optional.empty(), access, meters);
    }

    /**
     * Starts a registry; when this returns it answers.
     *
     * @param files of the mount; the caller closes it after the registry
     * @param trees makes those of pushed images; empty: the first request for a container makes them
     */
    public static RegistryServer start(
            RegistryOptions config,
            RegistryFiles files,
            Optional<ImageTrees> trees,
            Access access,
            MeterRegistry meters)
            throws IOException {
        RegistryMetrics metrics = new RegistryMetrics(meters);
        Layout layout = new Layout(config.base());
        Supplier<String> ids = () -> UUID.randomUUID().toString();
        ExecutorService slices = Executors.newFixedThreadPool(SLICE_THREADS, named("registry-slice-"));
        ReadAhead readAhead = new ReadAhead(slices, config.readAhead());
        Optional<RegistryNode> node = config.node().isPresent()
                ? Optional.of(RegistryNode.open(config.node().get(), System::nanoTime, Clock.systemUTC()::millis))
                : Optional.empty();
        Rebuilder rebuilder = node.map(self -> new Rebuilder(files, self.contents(), readAhead))
                .orElseGet(() -> new Rebuilder(files, layout, readAhead));
        Blobs blobs = new Blobs(files, layout, rebuilder, readAhead, node.map(RegistryNode::layers));
        Uploads uploads = new Uploads(files, layout, blobs, readAhead, ids);
        Manifests manifests = new Manifests(files, layout, ids);
        Optional<DedupEngine> engine = config.dedup()
                .map(limits ->
                        new DedupEngine(files, layout, rebuilder, slices, ids, limits, node.map(RegistryNode::layers)));
        node.ifPresent(self -> self.watch(
                new NodeSplit(files, layout, rebuilder),
                blobs,
                files,
                layout,
                digest -> engine.orElseThrow().examine(digest)));
        Optional<ImageTranslator> translator = config.translate().map(form -> {
            LayerTranslator layers =
                    new LayerTranslator(files, layout, rebuilder, blobs::stream, slices, ids, DedupLimits.DEFAULT);
            return new ImageTranslator(manifests, blobs, layers, form);
        });
        PushQueue pushed = new PushQueue(engine, trees, translator, metrics);
        Optional<Prefetch> prefetch = config.cache().isPresent()
                ? Optional.of(prefetch(config.cache().get(), blobs, metrics))
                : Optional.empty();
        ScheduledExecutorService upkeep = Executors.newSingleThreadScheduledExecutor(named("registry-upkeep-"));
        Work work = new Work(slices, pushed, prefetch, upkeep, node);
        RegistryHandler handler = new RegistryHandler(
                blobs,
                uploads,
                manifests,
                new Catalog(files, layout),
                new LeanLayers(files, layout, rebuilder, readAhead),
                access,
                config.readOnly(),
                pushed,
                config.translate(),
                prefetch,
                node.map(RegistryNode::service),
                metrics,
                System::nanoTime);
        try {
            HttpFront http = HttpFront.start("registry", config.host(), config.port(), handler, config.tls());
            boolean works = engine.isPresent() || trees.isPresent() || translator.isPresent();
            if (works && !config.readOnly()) {
                PushSweep sweep = new PushSweep(
                        files, layout, engine, trees, translator, ids, Clock.systemUTC()::millis, SWEEP_EVERY);
                schedule(upkeep, sweep, pushed);
            }
            node.ifPresent(self -> schedule(upkeep, self));
            return new RegistryServer(http, work);
        } catch (IOException | RuntimeException e) {
            work.close();
            throw e;
        }
    }

    private static Prefetch prefetch(LayerCacheOptions config, Blobs blobs, RegistryMetrics metrics)
            throws IOException {
        LayerCache cache = LayerCache.open(config, metrics);
        metrics.watchCache(cache);
        return new Prefetch(cache, blobs, config.users(), metrics, named("registry-cache-"));
    }

    /** Looks at once, and then each time that a sweep may be due. */
    private static void schedule(ScheduledExecutorService upkeep, PushSweep sweep, PushQueue pushed) {
        Runnable step = () -> {
            try {
                boolean unused = sweep.step(pushed);
            } catch (IOException | RuntimeException e) {
                // Whatever it is, the next sweep, of this registry or another, begins anew.
                LOG.warn("the sweep for unfinished work of other registries ended early: {}", e.toString());
            }
        };
        Future<?> unused = upkeep.scheduleWithFixedDelay(step, 0, SWEEP_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Looks now and then whether layers lack replicas. */
    private static void schedule(ScheduledExecutorService upkeep, RegistryNode node) {
        Runnable step = () -> {
            try {
                node.step();
            } catch (IOException | RuntimeException e) {
                // Whatever it is, the next step, of this node or another, begins anew.
                LOG.warn("layers were not mended to the end: {}", e.toString());
            }
        };
        Future<?> unused = upkeep.scheduleWithFixedDelay(
                step, MEND_EVERY.toMillis(), MEND_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static ThreadFactory named(String prefix) {
        AtomicInteger next = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + next.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Returns the address where the server listens. */
    public URI uri() {
        return http.uri();
    }

    /** Waits until every pushed blob was split, or left as it is, and every pushed image has its tree, if it gets one. */
    public void awaitPushed() throws InterruptedException {
        work.pushed().await();
    }

    @Override
    public void close() throws IOException {
        try (work) {
            http.close();
        }
    }
}
