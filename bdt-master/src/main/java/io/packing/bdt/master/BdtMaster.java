// SPDX-License-Identifier: Apache-2.0
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
import io.packing.bdt.master.rpc.KnownMounts;
import io.packing.bdt.master.rpc.MasterHealth;
import io.packing.bdt.master.rpc.NoFederation;
import io.packing.bdt.master.rpc.OpenCall;
import io.packing.bdt.master.rpc.OperationsService;
import io.packing.bdt.master.rpc.Principals;
import io.packing.bdt.master.rpc.QueueGate;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.read.Principal;
import io.packing.bdt.master.texts.MasterTexts;
import io.packing.spans.SpanExports;
import io.packing.spans.Spans;
import io.packing.status.StatusServer;
import io.packing.transport.Security;
import io.packing.transport.SpanCalls;
import io.packing.transport.token.KeyRing;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
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
    private final MasterSite site;
    private final DataDirectory data;
    private final OpenMounts mounts;
    private final MasterMetrics metrics;
    private final Evacuations evacuations;
    private final Optional<Spreading> spreading;
    private final Spans spans;
    private final ClientRates rates;
    private final QueueGate queueGate;
    private final MasterHealth health = new MasterHealth(this::problem, this::needsRestart);
    private final Principals principals = new Principals(Principals.UNCHECKED);
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final List<String> left = new CopyOnWriteArrayList<>();
    private volatile Duration stopTimeout;
    private Optional<AuditLog> audit = Optional.empty();
    private Optional<MasterTokens> tokens = Optional.empty();
    private Optional<MasterServers> servers = Optional.empty();

    /** Wires a master. It serves callers in this process; {@link #serve} makes and starts its servers. */
    private BdtMaster(BdtMasterOptions config, MasterSite site, DataDirectory data) throws IOException {
        this.config = config;
        this.site = site;
        this.data = data;
        this.stopTimeout = config.stopTimeout();
        this.metrics = new MasterMetrics(config.prices());
        this.spans = SpanExports.open(config.spans(), "bdt-master", LOG::warn);
        MountTables tables =
                site.group().map(MasterGroup::tables).orElseGet(() -> new LocalTables(config, site.stores(), data));
        TakeOvers.Owner owner = new TakeOvers.Owner(
                tables.holder(), tables.isShared(), data.starts().current(), data.starts());
        TakeOvers takeOvers = new TakeOvers(owner, config.lease(), this::address, site.clocks());
        MasterTexts texts = site.group().isPresent() ? site.group().get().texts() : MasterTexts.in(data.stores());
        KnownMounts known = new KnownMounts(texts, config.groups().isSpread());
        MountOpener opener = new MountOpener(config, site.stores(), tables, takeOvers, site.clocks(), spans, known);
        this.mounts = new OpenMounts(opener, metrics, site.clocks().nanos(), health::refresh);
        this.evacuations = new Evacuations(
                mounts,
                opener,
                tables,
                takeOvers,
                site.stores(),
                site.clocks(),
                config.groups().isSpread());
        this.spreading = config.groups().isSpread()
                ? Optional.of(Spreading.wire(config, data, site, tables, opener, takeOvers, mounts, metrics.moves()))
                : Optional.empty();
        this.rates = new ClientRates(config.access().rates(), site.clocks().nanos());
        this.queueGate = new QueueGate(mounts::fullestQueue);
        metrics.watchRefusals("rate", rates, ClientRates::refused);
        metrics.watchRefusals("behind", queueGate, QueueGate::refused);
        site.group().ifPresent(of -> of.whenNotLeading(mounts::leaveAll));
        site.group().ifPresent(metrics::watch);
    }

    /** Starts a master with the real stores that the configuration allows. */
    public static BdtMaster start(BdtMasterOptions config) throws IOException {
        return start(config, MasterSite.standard(config));
    }

    /** Starts a master with stores of the caller's own. */
    public static BdtMaster start(BdtMasterOptions config, Stores stores) throws IOException {
        return start(config, MasterSite.of(config, stores, MasterSite.realClocks()));
    }

    /** Starts a master that takes the data directory; mounts are opened when the first client asks for them. */
    public static BdtMaster start(BdtMasterOptions config, MasterSite site) throws IOException {
        DataDirectory data = DataDirectory.lock(config.dataDir());
        try {
            BdtMaster master = new BdtMaster(config, site, data);
            master.mounts.start();
            return master;
        } catch (IOException | RuntimeException e) {
            data.close();
            throw e;
        }
    }

    /** From now on these stores may be named by those who open a mount; mounts that are open stay so. */
    public void allow(AllowedStores stores) {
        site.allowed().set(stores);
        LOG.info("mounts may use {} now", stores);
    }

    /** Takes those settings that a master takes while it runs: {@link BdtMasterOptions#TAKEN_RUNNING}. */
    public void take(BdtMasterOptions other) {
        allow(other.stores());
        stopTimeout = other.stopTimeout();
        PermissionOptions terms = other.access().permissions();
        principals.take(
                terms.principals(config.access().security(), site.clocks().nanos()));
        tokens.ifPresent(of -> of.take(terms));
        rates.take(other.access().rates());
    }

    /** Serves gRPC, and metrics when the configuration names a port for them. */
    public BdtMaster serve() throws IOException {
        Security security = config.access().security();
        audit = config.access().audit() ? Optional.of(AuditLog.toLogger()) : Optional.empty();
        audit.ifPresent(log -> mounts.whenLost(log::lost));
        if (security.tls().isPresent()) {
            MasterTokens opened = MasterTokens.open(config, data, site.group(), audit, site.clocks());
            opened.others().forEach(other -> metrics.watchTokens(opened, other));
            tokens = Optional.of(opened);
        }
        principals.take(
                config.access().permissions().principals(security, site.clocks().nanos()));
        BdtServers.Services services = new BdtServers.Services(
                new BdtService(mounts, principals, interceptors()),
                new OperationsService(mounts::status, mounts::drain, mounts::accept, evacuations::evacuate, metrics),
                new FederationService(
                        spreading.<FederationCalls>map(Spreading::moves).orElseGet(NoFederation::new), metrics),
                health,
                tokens.map(MasterTokens::service));
        StatusServer.Health ofPage = new StatusServer.Health(this::problem, this::needsRestart, mounts::notes);
        MasterServers started = MasterServers.start(config, site, services);
        // Members of the group learn its port, and so do leases of mounts.
        servers = Optional.of(started);
        started.join(site);
        started.showStatus(config, site, metrics, mounts, ofPage);
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
        List<ServerInterceptor> all = new ArrayList<>(List.of(metrics));
        audit.ifPresent(all::add);
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
        return servers.map(MasterServers::port).orElse(-1);
    }

    /** Returns this master's metrics. */
    MasterMetrics metrics() {
        return metrics;
    }

    /** The port of the metrics server, or -1 when there is none. */
    public int metricsPort() {
        return servers.map(MasterServers::metricsPort).orElse(-1);
    }

    /** Waits until the gRPC server has ended. */
    public void awaitTermination() throws InterruptedException {
        if (servers.isPresent()) {
            servers.get().awaitTermination();
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

    /**
     * Returns true if a mount that this master opened is still the open one, and no other writer can have changed its table. A caller in this
     * process may go on with it, and need not open it for each call.
     */
    public boolean isCurrent(Bdt opened) {
        return opened instanceof LocalBdt local && local.isCurrent();
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

    /** The evacuations of mounts to other stores. */
    Evacuations evacuations() {
        return evacuations;
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
        Optional<String> ofGroup = site.group().flatMap(MasterGroup::problem);
        // Without TLS each caller who reaches this port may list the mount, too.
        return ofGroup.isPresent()
                ? ofGroup
                : mounts.problem(config.access().security().tls().isEmpty());
    }

    private Optional<String> needsRestart() {
        return mounts.needsRestart();
    }

    /**
     * Stops serving, backs every mount up, and closes them; a store that does not answer holds that up for no longer than
     * the configuration says. A member of a group leaves that to the others, which go on at once. A second call waits for the
     * first.
     */
    @Override
    public void close() {
        stop(
                site.group().isPresent()
                        ? Mount::kill
                        : mount -> mount.close(stopTimeout).ifPresent(left::add));
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
            servers.ifPresent(MasterServers::stopCalls);
            audit.ifPresent(AuditLog::close);
            servers.ifPresent(MasterServers::close);
            tokens.ifPresent(MasterTokens::close);
            spreading.ifPresent(Spreading::close);
            boolean opened = mounts.stop(end);
            // The last backups have spans, too.
            spans.close();
            site.group().ifPresent(MasterGroup::close);
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
