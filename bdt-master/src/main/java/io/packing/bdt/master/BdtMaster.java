package io.packing.bdt.master;

import io.grpc.Server;
import io.packing.bdt.BlobDirectories;
import io.packing.bdt.BlobDirectory;
import io.packing.bdt.rpc.MountNotOpenException;
import io.packing.status.StatusServer;
import io.packing.store.RequestListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
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
    /** Between two looks at mounts that a full disk stopped. */
    private static final long REVIVAL_MILLIS = 200;
    /** For how long a stop waits for mounts that are being opened. */
    private static final long OPENINGS_MILLIS = 5_000;

    private final BdtMasterConfig config;
    private final DataDirectory data;
    private final MountOpener opener;
    private final Map<String, Mount> mounts = new ConcurrentHashMap<>();
    private final Openings openings = new Openings();
    /** Mounts that other masters took over, until they are opened again. */
    private final Map<String, Mount> lost = new ConcurrentHashMap<>();

    private final Map<String, MountOpener.Request> requests = new ConcurrentHashMap<>();
    private final Revivals revivals;
    private final ScheduledExecutorService reviving = Executors.newSingleThreadScheduledExecutor(BdtMaster::daemon);

    private final MasterMetrics metrics = new MasterMetrics();
    private final MasterHealth health = new MasterHealth(this::problem);
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final List<String> left = new CopyOnWriteArrayList<>();
    private @Nullable Server server;
    private @Nullable StatusServer statusServer;

    private BdtMaster(
            BdtMasterConfig config, Stores stores, DataDirectory data, InstantSource clock, LongSupplier nanoClock) {
        this.config = config;
        this.data = data;
        TakeOvers takeOvers = new TakeOvers(data, config.lease(), this::address, clock, nanoClock);
        this.opener = new MountOpener(config, stores, data, takeOvers, clock, nanoClock);
        this.revivals = new Revivals(mounts::values, new Revivals.Opening() {
            @Override
            public boolean hasSpace(Mount stopped) throws IOException {
                return opener.hasSpaceToOpen(stopped);
            }

            @Override
            public void reopen(Mount stopped) throws IOException {
                BdtMaster.this.reopen(stopped);
            }
        });
    }

    /** The same with the real stores, those that the configuration allows. */
    public static BdtMaster start(BdtMasterConfig config) throws IOException {
        return start(config, Stores.standard(RequestListener.NONE, config.stores()));
    }

    /** Takes the data directory; mounts are opened when the first client asks for them. */
    public static BdtMaster start(BdtMasterConfig config, Stores stores) throws IOException {
        return start(config, stores, InstantSource.system(), System::nanoTime);
    }

    static BdtMaster start(BdtMasterConfig config, Stores stores, InstantSource clock, LongSupplier nanoClock)
            throws IOException {
        BdtMaster master = new BdtMaster(config, stores, DataDirectory.lock(config.dataDir()), clock, nanoClock);
        ScheduledFuture<?> steps = master.reviving.scheduleWithFixedDelay(
                master::revive, REVIVAL_MILLIS, REVIVAL_MILLIS, TimeUnit.MILLISECONDS);
        log.debug("mounts that a full disk stops are opened again: {}", steps);
        return master;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "bdt-revivals");
        thread.setDaemon(true);
        return thread;
    }

    private void revive() {
        try {
            if (revivals.step()) {
                health.refresh();
            }
        } catch (Throwable e) {
            // A schedule ends with the first failure of its task.
            log.error("mounts that a full disk stopped could not be looked at; tried again", e);
        }
    }

    /** Opens a mount anew in the place of one that takes no mutations any more. */
    private void reopen(Mount stopped) throws IOException {
        MountOpener.Request request = requests.get(stopped.id());
        if (request == null) {
            throw new IllegalStateException("mount %s was never opened".formatted(stopped.id()));
        }
        Mount opened = openings.one(stopped.id(), () -> {
            if (mounts.remove(stopped.id(), stopped)) {
                metrics.forget(stopped);
                stopped.kill();
            }
            return openMount(request);
        });
        stopped.replacedBy(opened);
    }

    /** Serves gRPC, and metrics when the configuration names a port for them. */
    public BdtMaster serve() throws IOException {
        server = BdtServers.start(config.bindHost(), config.port(), this);
        if (config.metricsPort() >= 0) {
            statusServer = StatusServer.start(
                    config.bindHost(), config.metricsPort(), metrics::scrape, this::problem, this::notes);
        }
        log.info(
                "BDT master serves at {}:{}, data in {}, mounts may use {}",
                config.bindHost(),
                port(),
                config.dataDir(),
                config.stores());
        return this;
    }

    /** The port of the gRPC server, or -1 when there is none. */
    public int port() {
        return server == null ? -1 : server.getPort();
    }

    /** The port of the metrics server, or -1 when there is none. */
    public int metricsPort() {
        return statusServer == null ? -1 : statusServer.port();
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
        return openings.one(request.id(), () -> openMount(request));
    }

    private Mount openMount(MountOpener.Request request) throws IOException {
        Mount known = mounts.get(request.id());
        if (known != null) {
            opener.checkSame(request, known);
            return known;
        }
        Mount before = lost.get(request.id());
        if (before != null) {
            before.kill();
        }
        Mount opened = opener.open(request);
        lost.remove(request.id());
        requests.put(request.id(), request);
        mounts.put(request.id(), opened);
        metrics.watch(opened);
        opened.onTrouble(health::refresh);
        opened.lease().whenLost(why -> lose(opened));
        return opened;
    }

    /** Another master has the mount: clients are to ask for it anew, and are told then which. */
    private void lose(Mount mount) {
        lost.put(mount.id(), mount);
        boolean served = mounts.remove(mount.id(), mount);
        metrics.forget(mount);
        health.refresh();
        log.debug("mount {} is another master's; served until now: {}", mount.id(), served);
    }

    /** Under which people find this master. */
    private String address() {
        if (!config.lease().address().isEmpty()) {
            return config.lease().address();
        }
        String machine;
        try {
            machine = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            machine = "a machine without a name";
        }
        return port() < 0 ? machine + " (in process)" : "%s:%d on %s".formatted(config.bindHost(), port(), machine);
    }

    Mount mount(String id) throws IOException {
        Mount mount = mounts.get(id);
        if (mount == null) {
            throw new MountNotOpenException("mount '%s' is not open; open it with its options".formatted(id));
        }
        return mount;
    }

    MasterMetrics metrics() {
        return metrics;
    }

    MasterHealth health() {
        return health;
    }

    Collection<Mount> mounts() {
        return mounts.values();
    }

    /** Why the master does not do its work, if it does not. */
    private Optional<String> problem() {
        List<String> problems = new ArrayList<>();
        lost.values().forEach(mount -> mount.lease().lost().ifPresent(why -> problems.add(why.getMessage())));
        mounts.values().forEach(mount -> mount.problem().ifPresent(problems::add));
        problems.addAll(revivals.problems());
        return problems.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", problems));
    }

    /** What fails at present although the master does its work. */
    private List<String> notes() {
        return mounts.values().stream()
                .flatMap(mount -> mount.upkeep().troubles().stream()
                        .map(trouble -> "mount %s: %s".formatted(mount.id(), trouble)))
                .toList();
    }

    /**
     * Stops serving, backs every mount up, and closes them; a store that does not answer holds that up for no longer than
     * the configuration says. Whoever calls it a second time waits for the first.
     */
    @Override
    public void close() {
        stop(mount -> mount.close(config.stopTimeout()).ifPresent(left::add));
    }

    /** What the stores lacked when this master was closed, for people; their next start makes it good. */
    public List<String> left() {
        return List.copyOf(left);
    }

    /** Ends as a crash would, as far as one can inside a process: nothing is backed up. For tests. */
    void kill() {
        stop(Mount::kill);
    }

    private void stop(Consumer<Mount> end) {
        synchronized (stopping) {
            if (stopping.getAndSet(true)) {
                return;
            }
            if (server != null) {
                stop(server);
            }
            if (statusServer != null) {
                statusServer.close();
            }
            reviving.shutdownNow();
            boolean opened = openings.end(OPENINGS_MILLIS);
            List<Thread> ends = new ArrayList<>();
            for (Mount mount : mounts.values()) {
                Thread thread = new Thread(() -> end.accept(mount), "bdt-stop-" + mount.id());
                thread.start();
                ends.add(thread);
            }
            ends.forEach(BdtMaster::join);
            mounts.clear();
            lost.values().forEach(Mount::kill);
            lost.clear();
            unlock(opened);
        }
    }

    private void unlock(boolean opened) {
        if (!opened) {
            log.warn("{} stays locked until a mount that is being opened has given up", config.dataDir());
            return;
        }
        try {
            data.close();
        } catch (IOException e) {
            log.warn("{} could not be unlocked", config.dataDir(), e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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
