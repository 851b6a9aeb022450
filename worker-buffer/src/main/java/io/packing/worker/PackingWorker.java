package io.packing.worker;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.packing.bdt.Bdt;
import io.packing.bdt.Bdts;
import io.packing.bdt.WorkerRegistration;
import io.packing.sorted.DirectoryLock;
import io.packing.sorted.DurableDirectory;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreConfig;
import io.packing.sorted.SortedStores;
import io.packing.status.StatusServer;
import io.packing.store.ObjectStore;
import io.packing.store.RequestListener;
import io.packing.store.StoreOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerConfig;
import io.packing.worker.pack.BlobClock;
import io.packing.worker.rpc.PeerClient;
import io.packing.worker.rpc.PeerServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A packing worker: buffers the files of any number of mounts, packs and pushes them. One per process. */
public final class PackingWorker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PackingWorker.class);
    private static final SortedStoreConfig LOCAL_BDT =
            new SortedStoreConfig(SortedStoreConfig.Engine.LEVELDB, 16L << 20, 4 << 20, 32L << 20);

    /** How mounts reach their stores. */
    public interface StoreOpener {
        ObjectStore open(StoreOptions options, RequestListener listener) throws IOException;
    }

    private final WorkerConfig config;
    private final Bdts bdts;
    private final StoreOpener stores;
    private final DirectoryLock lock;
    private final SortedStore localBdt;
    private final LocalMount.Shared shared;
    private final Map<String, LocalMount> mounts = new HashMap<>();
    private final ServedMounts served;
    private final PeerServer server;
    private final PeerClient peers;
    private final PrometheusMeterRegistry prometheus;
    private Optional<StatusServer> statusServer = Optional.empty();

    private PackingWorker(
            WorkerConfig config,
            Bdts bdts,
            StoreOpener stores,
            DirectoryLock lock,
            SortedStore localBdt,
            LocalMount.Shared shared,
            ServedMounts served,
            PeerServer server,
            PeerClient peers,
            PrometheusMeterRegistry prometheus) {
        this.prometheus = prometheus;
        this.served = served;
        this.server = server;
        this.peers = peers;
        this.config = config;
        this.bdts = bdts;
        this.stores = stores;
        this.lock = lock;
        this.localBdt = localBdt;
        this.shared = shared;
    }

    /**
     * Starts a worker; mounts recover what an earlier process buffered when they are opened.
     *
     * @throws IOException when the buffer directory is in use, read-only or full
     */
    public static PackingWorker start(
            WorkerConfig config, Bdts bdts, StoreOpener stores, Clock clock, MeterRegistry metrics) throws IOException {
        Path home = config.bufferDirectory();
        try {
            DurableDirectory.create(home);
        } catch (IOException e) {
            throw new IOException(
                    "buffer directory %s cannot be created: check its parent's permissions".formatted(home), e);
        }
        DirectoryLock lock = DirectoryLock.acquire(home);
        try {
            BufferOwner owner = BufferOwner.of(home, config.worker());
            SortedStore localBdt = SortedStores.open(home.resolve("local-bdt"), LOCAL_BDT);
            try {
                ServedMounts served = new ServedMounts();
                PeerServer server = PeerServer.start(config.host(), config.peerPort(), served);
                PeerClient peers = new PeerClient();
                PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
                CompositeMeterRegistry all = new CompositeMeterRegistry(
                        io.micrometer.core.instrument.Clock.SYSTEM, List.of(metrics, prometheus));
                LocalMount.Shared shared = new LocalMount.Shared(
                        new WorkerRegistration(
                                config.worker(), config.host() + ":" + server.port(), owner.token(), true),
                        localBdt,
                        BlobClock.open(localBdt, clock),
                        peers,
                        clock,
                        all);
                return new PackingWorker(
                        config, bdts, stores, lock, localBdt, shared, served, server, peers, prometheus);
            } catch (IOException | RuntimeException e) {
                localBdt.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /** Opens a mount; a mount that is open already must be closed before. */
    public synchronized PackingFileSystem open(MountOptions options) throws IOException {
        String name = options.mountName();
        LocalMount earlier = mounts.get(name);
        if (earlier != null && !earlier.isClosed()) {
            throw new IOException("%s is mounted by this worker already"
                    .formatted(options.store().location().text()));
        }
        Path base = options.bufferDirectory().isEmpty() ? config.bufferDirectory() : Path.of(options.bufferDirectory());
        Path home = DurableDirectory.create(base.resolve("mount-" + name));
        MountMetrics metrics =
                new MountMetrics(shared.metrics(), options.store().location().text());
        serveMetrics(options.metricsPort());
        // Peers learn of this worker while the mount opens, and may call before it has.
        served.opening(name);
        try (Opening opening = new Opening(bdts.open(options.raw()), stores.open(options.store(), metrics))) {
            LocalMount mount = LocalMount.open(name, options, opening.bdt, opening.store, home, shared, metrics);
            opening.done = true;
            mounts.put(name, mount);
            served.opened(name, mount);
            return mount;
        } finally {
            served.openingEnded(name);
        }
    }

    /** The first mount that asks for it has it served; packing goes on when the port cannot be had. */
    private void serveMetrics(int port) {
        if (port == 0 || statusServer.isPresent()) {
            return;
        }
        try {
            statusServer = Optional.of(StatusServer.start(config.host(), port, prometheus::scrape, served::problem));
        } catch (IOException e) {
            LOG.warn("no metrics are served: port {} of {}: {}", port, config.host(), e.getMessage());
        }
    }

    /** The port at which metrics and health are served; -1 when they are not. */
    public synchronized int metricsPort() {
        return statusServer.map(StatusServer::port).orElse(-1);
    }

    /** Why it does not do its work, if it does not; what health says. */
    Optional<String> problem() {
        return served.problem();
    }

    /** Stops; what is buffered stays in the buffer directory. */
    @Override
    public synchronized void close() throws IOException {
        for (LocalMount mount : mounts.values()) {
            mount.close();
        }
        mounts.clear();
        statusServer.ifPresent(StatusServer::close);
        server.close();
        peers.close();
        localBdt.close();
        lock.close();
    }

    /** What a mount stands on, closed again when it cannot be opened. */
    private static final class Opening implements AutoCloseable {
        private final Bdt bdt;
        private final ObjectStore store;
        private boolean done;

        Opening(Bdt bdt, ObjectStore store) {
            this.bdt = bdt;
            this.store = store;
        }

        @Override
        public void close() {
            if (!done) {
                store.close();
                bdt.close();
            }
        }
    }
}
