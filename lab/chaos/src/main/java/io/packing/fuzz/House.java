// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz;

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
import io.packing.fuzz.calls.Rpc;
import io.packing.store.ObjectStores;
import io.packing.transport.Channels;
import io.packing.transport.ConnectionOptions;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A master and three workers in this process, served on loopback, and a master with TLS. The mount {@code good} is the
 * honest load's. In the mount {@code wild} hostile callers have the rights of any caller. Two workers buffer there:
 * {@code wild-worker}, whose peer server is attacked, and {@code keeper}, whose files must not be lost.
 */
final class House implements AutoCloseable {
    static final String HOST = "127.0.0.1";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final ConnectionOptions CONNECTION = new ConnectionOptions(4 << 20, TIMEOUT, TIMEOUT, TIMEOUT);

    private final Path home;
    private final int port;
    private final Map<String, String> good;
    private final Map<String, String> wild;
    private final List<AutoCloseable> open = new ArrayList<>();
    private BdtMaster master;
    private final GrpcBdts bdts;
    private final SecuredMaster secured;
    final RemotePackingFileSystem goodMount;
    final RemotePackingFileSystem wildMount;
    final PackingFileSystem keeperMount;
    final String peerAddress;
    final Registries registries;
    final List<Integer> healthPorts = new ArrayList<>();

    House(Path home) throws IOException {
        this.home = home;
        this.port = freePort();
        this.good = options("good", "1s");
        this.wild = options("wild", "1s");
        this.master = start("bdt");
        this.bdts = keep(GrpcBdts.connect(HOST + ":" + port, TIMEOUT));
        this.secured = keep(new SecuredMaster(home.resolve("secured"), CONNECTION, TIMEOUT));
        healthPorts.add(secured.metricsPort());
        keep(worker("good-worker").open(MountOptions.from(served(good))));
        PackingFileSystem wildWorker = keep(worker("wild-worker").open(MountOptions.from(served(wild))));
        this.keeperMount = keep(worker("keeper").open(MountOptions.from(options("wild", "10h"))));
        this.peerAddress = wildWorker.bdt().workers().stream()
                .filter(worker -> worker.worker().equals("wild-worker"))
                .findFirst()
                .orElseThrow()
                .address();
        this.goodMount = keep(remote(good));
        this.wildMount = keep(remote(wild));
        this.registries = keep(new Registries(goodMount, MountOptions.from(good)));
    }

    private <T extends AutoCloseable> T keep(T opened) {
        open.add(opened);
        return opened;
    }

    private Map<String, String> options(String name, String sealAfter) throws IOException {
        return Map.of(
                "packing.store",
                Files.createDirectories(home.resolve("store-" + name)).toUri().toString(),
                "packing.seal.after",
                sealAfter,
                "packing.threads",
                "2",
                "packing.journal.interval",
                "2s",
                "packing.gc.interval",
                "5s",
                "packing.buffer.max.bytes",
                "1GB",
                // The cache is full within the first minute: a growing cache would look like lost memory.
                "packing.read.cache.bytes",
                "8MB");
    }

    /** Adds a port for health to the options. */
    private Map<String, String> served(Map<String, String> options) throws IOException {
        Map<String, String> more = new HashMap<>(options);
        int health = freePort();
        healthPorts.add(health);
        more.put("packing.metrics.port", Integer.toString(health));
        return more;
    }

    private BdtMaster start(String data) throws IOException {
        BdtMaster started = BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        home.resolve(data).toString(),
                        "bdt.port",
                        Integer.toString(port),
                        "bdt.metrics.port",
                        "0",
                        "bdt.mounts.groups",
                        "one=%s:%d,two=%s:1".formatted(HOST, port, HOST),
                        "bdt.mounts.group",
                        "one",
                        "bdt.stores",
                        goodStore() + "," + wildStore())))
                .serve();
        healthPorts.add(0, started.metricsPort());
        return started;
    }

    private PackingWorker worker(String id) throws IOException {
        return keep(PackingWorker.start(
                new WorkerOptions(id, home.resolve(id), HOST, 0),
                bdts,
                ObjectStores::open,
                Clock.systemUTC(),
                new SimpleMeterRegistry()));
    }

    private RemotePackingFileSystem remote(Map<String, String> options) throws IOException {
        MountOptions parsed = MountOptions.from(options);
        return RemotePackingFileSystem.open(bdts, parsed, ObjectStores.open(parsed.store()), Writers.preferHost(HOST));
    }

    /** Returns every method of the master and of a worker. */
    List<Rpc> rpcs() {
        Channel atMaster = channel(HOST + ":" + port);
        List<Rpc> all = new ArrayList<>(Rpc.of(BdtGrpc.getServiceDescriptor(), atMaster));
        all.addAll(Rpc.of(OperationsGrpc.getServiceDescriptor(), atMaster));
        all.addAll(Rpc.of(GroupsGrpc.getServiceDescriptor(), atMaster));
        all.addAll(Rpc.of(HealthGrpc.getServiceDescriptor(), atMaster));
        all.addAll(Rpc.of(PeerGrpc.getServiceDescriptor(), channel(peerAddress)));
        all.addAll(Rpc.of(TokensGrpc.getServiceDescriptor(), secured.channel()));
        return all;
    }

    /** Returns methods of servers that require an identity, for callers without one. */
    List<Rpc> closedRpcs() {
        List<Rpc> all = new ArrayList<>(Rpc.of(BdtGrpc.getServiceDescriptor(), secured.strangers()));
        all.addAll(Rpc.of(OperationsGrpc.getServiceDescriptor(), secured.strangers()));
        all.addAll(Rpc.of(GroupsGrpc.getServiceDescriptor(), secured.strangers()));
        return all;
    }

    int masterPort() {
        return port;
    }

    int securedPort() {
        return secured.port();
    }

    /** Returns a new token of a master; empty if the master issues no more. */
    Optional<String> token(String user) {
        try {
            return Optional.of(secured.tokens().issue(user, "root").text());
        } catch (IOException noRoom) {
            return Optional.empty();
        }
    }

    private ManagedChannel channel(String address) {
        ManagedChannel channel = Channels.open(address, CONNECTION);
        keep((AutoCloseable) channel::shutdownNow);
        return channel;
    }

    /** Returns the wild mount's location, as options name it. */
    String wildStore() {
        return wild.getOrDefault("packing.store", "");
    }

    String goodStore() {
        return good.getOrDefault("packing.store", "");
    }

    /** Returns the name of a mount between workers. */
    static String peerName(String location) {
        byte[] bytes = location.getBytes(StandardCharsets.UTF_8);
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return "%08x-%d".formatted((int) crc.getValue(), bytes.length);
    }

    /** Restarts the master on its disk. */
    void restartMaster() throws IOException {
        restart("bdt");
    }

    /** Replaces the master by one without a disk: it recovers from the store and the workers. */
    void rebuildMaster() throws IOException {
        restart("bdt-rebuilt");
    }

    private void restart(String data) throws IOException {
        master.close();
        healthPorts.remove(0);
        master = start(data);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    @Override
    public void close() throws IOException {
        for (int i = open.size() - 1; i >= 0; i--) {
            try {
                open.get(i).close();
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
        master.close();
    }
}
