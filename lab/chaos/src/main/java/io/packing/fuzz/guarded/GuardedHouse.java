// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.guarded;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthGrpc;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.GroupsGrpc;
import io.packing.bdt.rpc.OperationsGrpc;
import io.packing.bdt.rpc.TokensGrpc;
import io.packing.certificates.TestAuthority;
import io.packing.fuzz.calls.Rpc;
import io.packing.store.ObjectStores;
import io.packing.transport.Channels;
import io.packing.transport.ConnectionOptions;
import io.packing.transport.Security;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import io.packing.worker.rpc.PeerGrpc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A master and a worker with TLS, a mount that an operator made, and users with certificates. Not thread-safe. */
public final class GuardedHouse implements AutoCloseable {
    static final String HOST = "127.0.0.1";
    static final String SUPERUSER = "root";
    static final String OWNER = "alice";
    /** The attacker with a certificate. */
    static final String ATTACKER = "mallory";
    /** The attacker with a token. */
    static final String BEARER = "mallet";

    static final String WORKER = "guard";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final ConnectionOptions CONNECTION = new ConnectionOptions(4 << 20, TIMEOUT, TIMEOUT, TIMEOUT);
    private static final String GROUPS = "staff:x:50:alice,bob\nothers:x:51:mallory,mallet\n";

    private final Path home;
    private final Plant plant;
    private final TestAuthority authority;
    private final Path stores;
    private final int metricsPort = freePort();
    private final Map<String, GrpcBdts> masters = new HashMap<>();
    private final Map<String, RemotePackingFileSystem> mounts = new HashMap<>();
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final Map<String, MountOptions> users = new HashMap<>();
    private BdtMaster master;
    private final int port;
    private GrpcBdts workersMaster;
    private PackingWorker worker;
    private PackingFileSystem workersMount;

    /**
     * Starts a house below a directory, with a planted mistake.
     *
     * @param terms the options with which the operator makes the main mount
     */
    GuardedHouse(Path home, Plant plant, Map<String, String> terms) throws IOException {
        this.home = Files.createDirectories(home);
        this.plant = plant;
        this.authority = TestAuthority.create(
                own(home.resolve("certificates")),
                "authority",
                Clock.systemUTC().instant());
        Path unused = Files.writeString(home.resolve("groups"), GROUPS);
        this.stores = own(home.resolve("stores"));
        makeStore("main");
        this.master = BdtMaster.start(master("master", 0)).serve();
        this.port = master.port();
        Map<String, String> told = new HashMap<>(options(SUPERUSER, mainStore()).raw());
        told.putAll(terms);
        bdts(SUPERUSER).terms().create(told);
        startWorker(WORKER);
    }

    /** Makes a directory that only the operator may enter. */
    private static Path own(Path directory) throws IOException {
        return Files.createDirectory(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private BdtMasterOptions master(String data, int at) throws IOException {
        Map<String, String> options =
                new HashMap<>(authority.options("bdt", authority.issue("master", "CN=master, O=packing-daemon")));
        options.put("bdt.data.dir", home.resolve(data).toString());
        options.put("bdt.port", Integer.toString(at));
        options.put("bdt.metrics.port", "0");
        options.put("bdt.stores", stores.toUri().toString());
        options.put("bdt.groups", home.resolve("groups").toString());
        options.putAll(plant.masterOptions());
        return BdtMasterOptions.from(options);
    }

    private void startWorker(String id) throws IOException {
        Map<String, String> raw = new HashMap<>(options(WORKER, mainStore()).raw());
        raw.put("packing.metrics.port", Integer.toString(metricsPort));
        MountOptions options = MountOptions.from(raw);
        workersMaster = connect(options.security());
        worker = PackingWorker.start(
                new WorkerOptions(id, home.resolve(id), HOST, 0, options.security()),
                workersMaster,
                ObjectStores::open,
                Clock.systemUTC(),
                new SimpleMeterRegistry());
        workersMount = worker.open(options);
    }

    private GrpcBdts connect(Security security) {
        return GrpcBdts.connect(HOST + ":" + port, TIMEOUT, security);
    }

    Path home() {
        return home;
    }

    /** Returns the directory below which stores are allowed. */
    Path stores() {
        return stores;
    }

    /** Makes the directory of a store that a mount may be made in. */
    void makeStore(String name) throws IOException {
        Path unused = Files.createDirectories(stores.resolve(name));
    }

    String store(String name) {
        return stores.resolve(name).toUri().toString();
    }

    String mainStore() {
        return store("main");
    }

    /** Returns the ports of the master and of the worker, and those for health. */
    List<Integer> ports() throws IOException {
        return List.of(
                port,
                Integer.parseInt(workerAddress().substring(workerAddress().lastIndexOf(':') + 1)),
                master.metricsPort(),
                metricsPort);
    }

    /** Returns the options of a user for a store. */
    MountOptions options(String user, String store) throws IOException {
        MountOptions known = users.get(user + " " + store);
        if (known != null) {
            return known;
        }
        Map<String, String> raw = anonymous(store);
        raw.putAll(authority.options("packing", authority.issue(user + users.size(), subject(user))));
        MountOptions options = MountOptions.from(raw);
        users.put(user + " " + store, options);
        return options;
    }

    private String subject(String user) {
        return switch (user) {
            case SUPERUSER -> "CN=root, O=packing-superuser";
            case WORKER -> "CN=guard, O=packing-daemon";
            case ATTACKER -> "CN=mallory" + (plant.organization().isEmpty() ? "" : ", O=" + plant.organization());
            default -> "CN=" + user;
        };
    }

    private Map<String, String> anonymous(String store) {
        return new HashMap<>(Map.of(
                "packing.store",
                store,
                "packing.threads",
                "2",
                // Files stay in the buffer until a flush.
                "packing.seal.after",
                "10h",
                "packing.seal.quiet",
                "0s",
                "packing.read.cache.bytes",
                "8MB",
                "packing.tls.trust",
                authority.certificate().toString()));
    }

    /** Returns the options of a user with a token only. */
    MountOptions showing(String token) throws IOException {
        Path file = Files.writeString(Files.createTempFile(home, "token", ""), token);
        Map<String, String> raw = anonymous(mainStore());
        raw.put("packing.tls.token", file.toString());
        return MountOptions.from(raw);
    }

    /** Returns the options of a client that trusts the authority and shows nothing. */
    MountOptions nobody() {
        return MountOptions.from(anonymous(mainStore()));
    }

    GrpcBdts bdts(String user) throws IOException {
        GrpcBdts known = masters.get(user);
        if (known == null) {
            known = connect(options(user, mainStore()).security());
            masters.put(user, known);
        }
        return known;
    }

    /** Opens the main mount as a user. */
    RemotePackingFileSystem mount(String user) throws IOException {
        RemotePackingFileSystem known = mounts.get(user);
        if (known == null) {
            known = open(bdts(user), options(user, mainStore()));
            mounts.put(user, known);
        }
        return known;
    }

    static RemotePackingFileSystem open(GrpcBdts bdts, MountOptions options) throws IOException {
        return RemotePackingFileSystem.open(
                bdts, options, ObjectStores.open(options.store()), Writers.preferHost(HOST));
    }

    String workerAddress() throws IOException {
        return workersMount.bdt().workers().stream()
                .filter(each -> each.worker().startsWith(WORKER))
                .findFirst()
                .orElseThrow(() -> new IOException("the worker is not registered"))
                .address();
    }

    /** Returns every method of the master and of the worker, over connections of a client. */
    List<Rpc> rpcs(Security security) throws IOException {
        Channel atMaster = channel(HOST + ":" + port, security);
        List<Rpc> all = new ArrayList<>(Rpc.of(BdtGrpc.getServiceDescriptor(), atMaster));
        all.addAll(Rpc.of(OperationsGrpc.getServiceDescriptor(), atMaster));
        all.addAll(Rpc.of(GroupsGrpc.getServiceDescriptor(), atMaster));
        all.addAll(Rpc.of(TokensGrpc.getServiceDescriptor(), atMaster));
        all.addAll(Rpc.of(HealthGrpc.getServiceDescriptor(), atMaster));
        all.addAll(Rpc.of(PeerGrpc.getServiceDescriptor(), channel(workerAddress(), security)));
        return all;
    }

    private ManagedChannel channel(String address, Security security) {
        ManagedChannel channel = Channels.open(address, CONNECTION, security);
        channels.add(channel);
        return channel;
    }

    /** Restarts the master on its disk. */
    void restartMaster() throws IOException {
        master.close();
        master = BdtMaster.start(master("master", port)).serve();
    }

    /** Loses the machines of master and worker at this moment; their successors have only the store as it is now. */
    void loseMachines() throws IOException {
        Path now = home.resolve("stores-now");
        copy(stores, now);
        workersMount.close();
        worker.close();
        workersMaster.close();
        master.close();
        // Writes during the stop do not count.
        Path unused = Files.move(stores, home.resolve("stores-later"));
        unused = Files.move(now, stores);
        master = BdtMaster.start(master("master-2", port).takingOver()).serve();
        startWorker(WORKER + "-2");
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> walk = Files.walk(from)) {
            for (Path each : (Iterable<Path>) walk::iterator) {
                try {
                    Path unused = Files.copy(each, to.resolve(from.relativize(each)));
                } catch (NoSuchFileException e) {
                    // The file was a scratch file of the store that has got its name meanwhile.
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        ManagedChannel unused;
        for (ManagedChannel each : channels) {
            unused = each.shutdownNow();
        }
        for (RemotePackingFileSystem each : mounts.values()) {
            each.close();
        }
        masters.values().forEach(GrpcBdts::close);
        workersMount.close();
        worker.close();
        workersMaster.close();
        master.close();
    }
}
