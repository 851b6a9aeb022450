package io.packing.bdt.master;

import io.grpc.Server;
import io.packing.bdt.BlobDirectories;
import io.packing.bdt.BlobDirectory;
import io.packing.bdt.rpc.MountNotOpenException;
import io.packing.status.StatusServer;
import io.packing.store.RequestListener;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A BDT master: it opens mounts, keeps their tables, and may serve them over gRPC. Usable in process as it is.
 *
 * <pre>
 * try (BdtMaster master = BdtMaster.start(config)) {
 *     master.serve();
 *     master.awaitTermination();
 * }
 * </pre>
 */
public final class BdtMaster implements BlobDirectories {
    private static final Logger log = LoggerFactory.getLogger(BdtMaster.class);

    private final BdtMasterConfig config;
    private final DataDirectory data;
    private final MountOpener opener;
    private final Map<String, Mount> mounts = new ConcurrentHashMap<>();
    private final Map<String, Object> opening = new ConcurrentHashMap<>();
    private final RequestCounts requests = new RequestCounts();
    private @Nullable Server server;
    private @Nullable StatusServer metrics;

    private BdtMaster(BdtMasterConfig config, DataDirectory data, MountOpener opener) {
        this.config = config;
        this.data = data;
        this.opener = opener;
    }

    /** The same with the real stores. */
    public static BdtMaster start(BdtMasterConfig config) throws IOException {
        return start(config, Stores.standard(RequestListener.NONE));
    }

    /** Takes the data directory; mounts are opened when the first client asks for them. */
    public static BdtMaster start(BdtMasterConfig config, Stores stores) throws IOException {
        DataDirectory data = DataDirectory.lock(config.dataDir());
        return new BdtMaster(
                config, data, new MountOpener(config, stores, data, InstantSource.system(), System::nanoTime));
    }

    /** Serves gRPC, and metrics when the configuration names a port for them. */
    public BdtMaster serve() throws IOException {
        server = BdtServers.start(config.bindHost(), config.port(), this);
        if (config.metricsPort() >= 0) {
            MasterStatus status = new MasterStatus(this::mounts, requests);
            metrics = StatusServer.start(config.bindHost(), config.metricsPort(), status::metrics, status::problem);
        }
        log.info("BDT master serves at {}:{}, data in {}", config.bindHost(), port(), config.dataDir());
        return this;
    }

    /** The port of the gRPC server, or -1 when there is none. */
    public int port() {
        return server == null ? -1 : server.getPort();
    }

    /** The port of the metrics server, or -1 when there is none. */
    public int metricsPort() {
        return metrics == null ? -1 : metrics.port();
    }

    /** Waits until the gRPC server has ended. */
    public void awaitTermination() throws InterruptedException {
        if (server != null) {
            server.awaitTermination();
        }
    }

    @Override
    public BlobDirectory open(Map<String, String> options) throws IOException {
        return new LocalBlobDirectory(openMount(options));
    }

    Mount openMount(Map<String, String> options) throws IOException {
        MountOpener.Request request = opener.check(options);
        synchronized (opening.computeIfAbsent(request.id(), id -> new Object())) {
            Mount known = mounts.get(request.id());
            if (known != null) {
                return known;
            }
            Mount opened = opener.open(request);
            mounts.put(request.id(), opened);
            return opened;
        }
    }

    Mount mount(String id) throws IOException {
        Mount mount = mounts.get(id);
        if (mount == null) {
            throw new MountNotOpenException("mount '%s' is not open; open it with its options".formatted(id));
        }
        return mount;
    }

    /** Counts what comes over gRPC. */
    RequestCounts requests() {
        return requests;
    }

    Collection<Mount> mounts() {
        return mounts.values();
    }

    /** Stops serving, backs every mount up, and closes them. */
    @Override
    public void close() {
        stop(Mount::close);
    }

    /** Ends as a crash would, as far as one can inside a process: nothing is backed up. For tests. */
    void kill() {
        stop(Mount::kill);
    }

    private void stop(java.util.function.Consumer<Mount> end) {
        if (server != null) {
            stop(server);
        }
        if (metrics != null) {
            metrics.close();
        }
        mounts.values().forEach(end);
        mounts.clear();
        try {
            data.close();
        } catch (IOException e) {
            log.warn("{} could not be unlocked", config.dataDir(), e);
        }
    }

    private static void stop(Server server) {
        server.shutdown();
        try {
            if (!server.awaitTermination(1, TimeUnit.SECONDS)) {
                // Claim streams stay open for as long as their sessions live.
                server.shutdownNow();
                boolean ended = server.awaitTermination(5, TimeUnit.SECONDS);
                log.debug("gRPC server ended: {}", ended);
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
