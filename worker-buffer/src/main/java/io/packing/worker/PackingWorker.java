// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.micrometer.core.instrument.MeterRegistry;
import io.packing.bdt.Bdts;
import io.packing.bdt.WorkerRegistration;
import io.packing.status.page.ProcessFacts;
import io.packing.status.page.StatusPage;
import io.packing.store.ObjectStore;
import io.packing.store.RequestListener;
import io.packing.store.StoreOptions;
import io.packing.transport.AccessControl;
import io.packing.transport.token.TokenVerifier;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import io.packing.worker.pack.BlobClock;
import io.packing.worker.read.ReadCaches;
import io.packing.worker.rpc.PeerNetwork;
import io.packing.worker.rpc.PeerRights;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A packing worker: it buffers the files of any number of mounts, packs them and pushes the blobs. One per process. */
public final class PackingWorker implements AutoCloseable {
    /** The factory of stores for mounts. */
    public interface StoreOpener {
        ObjectStore open(StoreOptions options, RequestListener listener) throws IOException;
    }

    private final WorkerOptions config;
    private final WorkerDirectory directory;
    private final PeerNetwork network;
    private final PeerNetwork.Client peers;
    private final TokenKeys tokenKeys;
    private final PeerMounts mounts = new PeerMounts();
    private final WorkerStatus status;
    private final MountFactory opener;
    private Optional<PeerNetwork.Server> server = Optional.empty();

    private PackingWorker(
            WorkerOptions config,
            WorkerDirectory directory,
            BlobClock blobClock,
            Bdts bdts,
            StoreOpener stores,
            WorkerPlatform environment,
            MeterRegistry metrics) {
        this.config = config;
        this.directory = directory;
        this.network = environment.peers();
        this.peers = network.client(config.security());
        this.tokenKeys = new TokenKeys(bdts);
        WorkerPage page = new WorkerPage(
                config.worker(),
                config.host(),
                mounts,
                () -> ProcessFacts.of(List.of(config.bufferDirectory())),
                this::problem);
        this.status = new WorkerStatus(
                config.host(),
                metrics,
                this::problem,
                mounts::needsRestart,
                () -> new StatusPage(page::report, environment.wall(), environment.nanos()));
        MountFactory.Network connections = new MountFactory.Network(bdts, stores, peers);
        this.opener = new MountFactory(
                directory,
                blobClock,
                connections,
                this::registration,
                environment,
                status.metrics(),
                () -> Math.max(0, status.port()));
    }

    /** Starts a worker with read caches that only its own mounts share. */
    public static PackingWorker start(
            WorkerOptions config, Bdts bdts, StoreOpener stores, Clock clock, MeterRegistry metrics)
            throws IOException {
        return start(config, bdts, stores, clock, metrics, new ReadCaches());
    }

    /**
     * Starts a worker; each mount recovers the files of an earlier process when it is opened.
     *
     * @throws IOException when the buffer directory is in use, read-only or full
     */
    public static PackingWorker start(
            WorkerOptions config, Bdts bdts, StoreOpener stores, Clock clock, MeterRegistry metrics, ReadCaches caches)
            throws IOException {
        return start(config, bdts, stores, WorkerPlatform.of(clock, caches), metrics);
    }

    /** Starts a worker on a platform of the caller's own. */
    public static PackingWorker start(
            WorkerOptions config, Bdts bdts, StoreOpener stores, WorkerPlatform environment, MeterRegistry metrics)
            throws IOException {
        PackingWorker worker = of(config, bdts, stores, environment, metrics);
        try (Opening opening = new Opening()) {
            opening.closing(worker, PackingWorker::close).serve();
            opening.done();
        }
        return worker;
    }

    /** Returns a worker that has its directory, and neither threads nor a port. */
    static PackingWorker of(
            WorkerOptions config, Bdts bdts, StoreOpener stores, WorkerPlatform environment, MeterRegistry metrics)
            throws IOException {
        try (Opening opening = new Opening()) {
            WorkerDirectory directory =
                    opening.closing(WorkerDirectory.lock(config, environment), WorkerDirectory::close);
            BlobClock blobClock = BlobClock.open(directory.localBdt(), environment.wall());
            PackingWorker worker = new PackingWorker(config, directory, blobClock, bdts, stores, environment, metrics);
            opening.done();
            return worker;
        }
    }

    private synchronized void serve() throws IOException {
        TokenVerifier tokens = new TokenVerifier(tokenKeys::ring, Clock.systemUTC());
        AccessControl access = new AccessControl(config.security(), PeerRights.RIGHTS, tokens, Clock.systemUTC());
        server = Optional.of(network.serve(config.host(), config.peerPort(), mounts, access));
        if (config.security().tls().isPresent()) {
            tokenKeys.start();
        }
    }

    private synchronized WorkerRegistration registration() {
        int port = server.map(PeerNetwork.Server::port).orElse(config.peerPort());
        return new WorkerRegistration(config.worker(), config.host() + ":" + port, directory.token(), true);
    }

    /** Opens a mount; the caller must have closed an earlier one of this name. */
    public synchronized PackingFileSystem open(MountOptions options) throws IOException {
        status.serve(options.metricsPort());
        LocalMount mount = wired(options);
        mount.start();
        return mount;
    }

    /** Opens a mount that its caller steps. */
    synchronized LocalMount wired(MountOptions options) throws IOException {
        // Peers learn of this worker while the mount opens, and may call before it is open.
        mounts.opening(options);
        try {
            LocalMount mount = opener.open(options);
            mounts.opened(mount);
            return mount;
        } finally {
            mounts.openingEnded(options);
        }
    }

    /**
     * Gives the options in {@link MountOptions#TAKEN_RUNNING} to the open mounts of the store that the options name.
     */
    public void take(MountOptions options) {
        mounts.open().stream()
                .filter(mount -> mount.options()
                        .store()
                        .location()
                        .equals(options.store().location()))
                .forEach(mount -> mount.take(options));
    }

    /**
     * Returns a future that completes when this worker has left all mounts that are open now, on the operator's
     * request.
     */
    public CompletableFuture<Void> left() {
        return CompletableFuture.allOf(
                mounts.open().stream().map(LocalMount::left).toArray(CompletableFuture[]::new));
    }

    /** Returns the port at which metrics and health are served; -1 when they are not. */
    public int metricsPort() {
        return status.port();
    }

    /** Returns the problem that keeps the worker from its work, as health reports it. */
    Optional<String> problem() {
        return mounts.problem().or(tokenKeys::problem);
    }

    /** Stops the worker; buffered files stay in the buffer directory. */
    @Override
    public synchronized void close() throws IOException {
        mounts.close();
        status.close();
        server.ifPresent(PeerNetwork.Server::close);
        tokenKeys.close();
        peers.close();
        directory.close();
    }
}
