package io.packing.bdt.master;

import io.grpc.ServerInterceptor;
import io.packing.bdt.Bdt;
import io.packing.bdt.Bdts;
import io.packing.bdt.master.audit.AuditLog;
import io.packing.bdt.master.cloud.TakeOvers;
import io.packing.bdt.master.rpc.BdtServers;
import io.packing.bdt.master.rpc.BdtService;
import io.packing.bdt.master.rpc.ClaimSpans;
import io.packing.bdt.master.rpc.ClientRates;
import io.packing.bdt.master.rpc.FederationCalls;
import io.packing.bdt.master.rpc.FederationService;
import io.packing.bdt.master.rpc.LeaderGate;
import io.packing.bdt.master.rpc.MasterHealth;
import io.packing.bdt.master.rpc.NoFederation;
import io.packing.bdt.master.rpc.OpenCall;
import io.packing.bdt.master.rpc.OperationsService;
import io.packing.bdt.master.rpc.Principals;
import io.packing.bdt.master.rpc.QueueGate;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.read.Principal;
import io.packing.spans.SpanExports;
import io.packing.spans.Spans;
import io.packing.status.StatusServer;
import io.packing.status.page.StatusPage;
import io.packing.transport.RpcServer;
import io.packing.transport.Security;
import io.packing.transport.SpanCalls;
import io.packing.transport.token.KeyRing;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
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
public final class BdtMaster implements Bdts {
    private static final Logger LOG = LoggerFactory.getLogger(BdtMaster.class);

    private final BdtMasterOptions config;
    private final AtomicReference<AllowedStores> allowed;
    private final DataDirectory data;
    private final OpenMounts mounts;
    private final MasterMetrics metrics;
    private final Optional<MasterGroup> group;
    private final Optional<Spreading> spreading;
    private final Clocks clocks;
    private final MasterHealth health = new MasterHealth(this::problem, this::needsRestart);
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final List<String> left = new CopyOnWriteArrayList<>();
    private Optional<MasterTokens> tokens = Optional.empty();
    private Optional<AuditLog> audit = Optional.empty();
    private final Spans spans;
    private final ClientRates rates;
    private final QueueGate queueGate;
    private final Principals principals = new Principals(Principals.UNCHECKED);
    private volatile Duration stopTimeout;
    private @Nullable RpcServer server;
    private @Nullable StatusServer statusServer;

    private BdtMaster(
            BdtMasterOptions config,
            AtomicReference<AllowedStores> allowed,
            Stores stores,
            DataDirectory data,
            Clocks clocks,
            Optional<MasterGroup> group)
            throws IOException {
        this.config = config;
        this.allowed = allowed;
        this.data = data;
        this.group = group;
        this.clocks = clocks;
        this.stopTimeout = config.stopTimeout();
        this.metrics = new MasterMetrics(config.prices());
        this.spans = SpanExports.open(config.spans(), "bdt-master", LOG::warn);
        MountTables tables = group.map(MasterGroup::tables).orElseGet(() -> new LocalTables(config, stores, data));
        TakeOvers.Owner owner = new TakeOvers.Owner(
                tables.holder(), tables.isShared(), data.starts().current(), data.starts());
        TakeOvers takeOvers = new TakeOvers(owner, config.lease(), this::address, clocks);
        MountOpener opener = new MountOpener(config, stores, tables, takeOvers, clocks, spans);
        this.mounts = new OpenMounts(opener, metrics, clocks.nanos(), this::refreshHealth);
        this.spreading = config.groups().isSpread()
                ? Optional.of(
                        Spreading.wire(config, data, group, tables, opener, takeOvers, mounts, clocks, metrics.moves()))
                : Optional.empty();
        this.rates = new ClientRates(config.access().rates(), clocks.nanos());
        this.queueGate = new QueueGate(mounts::fullestQueue);
        metrics.watchRefusals("rate", rates, ClientRates::refused);
        metrics.watchRefusals("behind", queueGate, QueueGate::refused);
    }

    /** Starts a master with the real stores that the configuration allows. */
    public static BdtMaster start(BdtMasterOptions config) throws IOException {
        AtomicReference<AllowedStores> allowed = new AtomicReference<>(config.stores());
        Stores stores = Stores.standard(allowed::get, config.access());
        return start(config, allowed, stores, realClocks(), Optional.empty());
    }

    /** Takes the data directory; mounts are opened when the first client asks for them. */
    public static BdtMaster start(BdtMasterOptions config, Stores stores) throws IOException {
        return start(config, stores, realClocks());
    }

    static BdtMaster start(BdtMasterOptions config, Stores stores, Clocks clocks) throws IOException {
        return start(config, new AtomicReference<>(config.stores()), stores, clocks, Optional.empty());
    }

    /**
     * A member of a group of masters, which is closed with it. It answers while it leads the group.
     *
     * @param allowed what {@link #allow} changes, and the stores look at
     */
    public static BdtMaster start(
            BdtMasterOptions config, AtomicReference<AllowedStores> allowed, Stores stores, MasterGroup group)
            throws IOException {
        return start(config, allowed, stores, realClocks(), Optional.of(group));
    }

    private static BdtMaster start(
            BdtMasterOptions config,
            AtomicReference<AllowedStores> allowed,
            Stores stores,
            Clocks clocks,
            Optional<MasterGroup> group)
            throws IOException {
        DataDirectory data = DataDirectory.lock(config.dataDir());
        BdtMaster master;
        try {
            master = new BdtMaster(config, allowed, stores, data, clocks, group);
        } catch (IOException | RuntimeException e) {
            data.close();
            throw e;
        }
        group.ifPresent(of -> of.whenNotLeading(master.mounts::leaveAll));
        group.ifPresent(master.metrics::watch);
        master.mounts.start();
        return master;
    }

    /** From now on these stores may be named by those who open a mount; mounts that are open stay so. */
    public void allow(AllowedStores stores) {
        allowed.set(stores);
        LOG.info("mounts may use {} now", stores);
    }

    /** Takes those settings that a master takes while it runs: {@link BdtMasterOptions#TAKEN_RUNNING}. */
    public void take(BdtMasterOptions other) {
        allow(other.stores());
        stopTimeout = other.stopTimeout();
        PermissionOptions terms = other.access().permissions();
        principals.take(terms.principals(config.access().security(), clocks.nanos()));
        tokens.ifPresent(of -> of.take(terms));
        rates.take(other.access().rates());
    }

    private static Clocks realClocks() {
        return new Clocks(Clock.systemUTC(), System::nanoTime);
    }

    /** Serves gRPC, and metrics when the configuration names a port for them. */
    public BdtMaster serve() throws IOException {
        Security security = config.access().security();
        List<ServerInterceptor> interceptors = interceptors();
        if (security.tls().isPresent()) {
            MasterTokens opened = MasterTokens.open(config, data, group, audit, clocks);
            opened.others().forEach(other -> metrics.watchTokens(opened, other));
            tokens = Optional.of(opened);
        }
        principals.take(config.access().permissions().principals(security, clocks.nanos()));
        server = BdtServers.start(
                config.bindHost(),
                config.port(),
                new BdtServers.Services(
                        new BdtService(mounts, principals, interceptors),
                        new OperationsService(mounts::status, mounts::drain, mounts::accept, metrics),
                        new FederationService(
                                spreading.<FederationCalls>map(Spreading::moves).orElseGet(NoFederation::new), metrics),
                        health,
                        tokens.map(MasterTokens::service)),
                security,
                clocks.wall(),
                group.map(of -> new LeaderGate(of::leads, of::refusal)));
        if (group.isPresent()) {
            group.get().serving(config.bindHost(), port());
        }
        if (config.metricsPort() >= 0) {
            MasterPage page = new MasterPage(config.bindHost() + ":" + port(), mounts, config.prices(), this::problem);
            statusServer = StatusServer.start(
                    config.bindHost(),
                    config.metricsPort(),
                    metrics::scrape,
                    new StatusServer.Health(this::problem, this::needsRestart, mounts::notes),
                    Optional.of(new StatusPage(page::report, clocks.wall(), clocks.nanos())));
        }
        LOG.info(
                "BDT master serves at {}:{} {}, data in {}, mounts may use {}",
                config.bindHost(),
                port(),
                security.tls().isPresent() ? "with TLS" : "without TLS: it trusts everybody who reaches it",
                config.dataDir(),
                config.stores());
        return this;
    }

    private List<ServerInterceptor> interceptors() {
        audit = config.access().audit() ? Optional.of(AuditLog.toLogger()) : Optional.empty();
        List<ServerInterceptor> all = new ArrayList<>(List.of(metrics));
        audit.ifPresent(all::add);
        audit.ifPresent(log -> mounts.whenLost(log::lost));
        if (spans.isOn()) {
            all.add(new ClaimSpans(spans));
            all.add(SpanCalls.ofServers(spans));
        }
        all.add(queueGate);
        all.add(rates);
        return all;
    }

    /** The port of the gRPC server, or -1 when there is none. */
    public int port() {
        return server == null ? -1 : server.port();
    }

    /** Returns this master's metrics. */
    MasterMetrics metrics() {
        return metrics;
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
    public Bdt open(Map<String, String> options) throws IOException {
        return new LocalBdt(mounts.open(options), Permissions.UNCHECKED, principals::ofUser);
    }

    /** Opens a mount for a user whose rights on files are checked, also in worker sessions that the user registers. */
    public Bdt openAs(Principal user, Map<String, String> options) throws IOException {
        return new LocalBdt(mounts.open(options), Permissions.of(user));
    }

    @Override
    public KeyRing tokenKeys() {
        return tokens.map(MasterTokens::ring).orElse(KeyRing.EMPTY);
    }

    Mount openMount(Map<String, String> options) throws IOException {
        return mounts.open(options);
    }

    Mount openMount(OpenCall call) throws IOException {
        return mounts.open(call);
    }

    /** Changes a mount's shared options ({@link io.packing.bdt.SharedMountOptions}). */
    public void setOptions(Map<String, String> mount, Map<String, String> changes) throws IOException {
        Mount changed = change(mounts.open(OpenCall.again(mount)).id(), changes);
        LOG.debug("mount {} has other options", changed.id());
    }

    Mount change(String mount, Map<String, String> options) throws IOException {
        return mounts.change(mount, options);
    }

    /** Goes on with a mount without what a recovery could not read; returns what that was, for people. */
    List<String> accept(String mount) throws IOException {
        return mounts.accept(mount);
    }

    /** The moves of mounts from and to this master's group, if there are several groups. */
    Optional<MountMoves> moves() {
        return spreading.map(Spreading::moves);
    }

    Collection<Mount> mounts() {
        return mounts.all();
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

    private Optional<String> problem() {
        Optional<String> ofGroup = group.flatMap(MasterGroup::problem);
        // Without TLS each caller who reaches this port may list the mount, too.
        return ofGroup.isPresent()
                ? ofGroup
                : mounts.problem(config.access().security().tls().isEmpty());
    }

    private Optional<String> needsRestart() {
        return mounts.needsRestart();
    }

    private void refreshHealth() {
        health.refresh();
    }

    /**
     * Stops serving, backs every mount up, and closes them; a store that does not answer holds that up for no longer than
     * the configuration says. A member of a group leaves that to the others, which go on at once. A second call waits for the
     * first.
     */
    @Override
    public void close() {
        stop(group.isPresent() ? Mount::kill : mount -> mount.close(stopTimeout).ifPresent(left::add));
    }

    /** Returns, for operators, the changes that the stores lacked when this master closed; the next start uploads them. */
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
                server.stop();
            }
            audit.ifPresent(AuditLog::close);
            if (statusServer != null) {
                statusServer.close();
            }
            tokens.ifPresent(MasterTokens::close);
            spreading.ifPresent(Spreading::close);
            boolean opened = mounts.stop(end);
            // The last backups have spans, too.
            spans.close();
            group.ifPresent(MasterGroup::close);
            unlock(opened);
        }
    }

    private void unlock(boolean opened) {
        if (!opened) {
            LOG.warn("{} stays locked until a mount that is being opened has given up", config.dataDir());
            return;
        }
        try {
            data.close();
        } catch (IOException e) {
            LOG.warn("{} could not be unlocked", config.dataDir(), e);
        }
    }
}
