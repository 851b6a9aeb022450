// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.s3gateway.auth.AccessKey;
import io.packing.s3gateway.auth.TestKeys;
import io.packing.seed.Seed;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;

/** A BDT master, a worker and gateways of this JVM over a directory. */
public final class TestGateway implements AutoCloseable {
    public static final AccessKey ALICE = new AccessKey("ALICEKEY", "alice-has-a-secret", "alice");
    public static final AccessKey BOB = new AccessKey("BOBKEY", "bob-has-another-one", "bob");

    private final BdtMaster master;
    private final GrpcBdts ofWorker;
    private final PackingWorker worker;
    private final PackingFileSystem buffer;
    private final PackingFileSystem mount;
    private final RemoteUserMounts users;
    private final S3GatewayServer server;

    private TestGateway(
            BdtMaster master,
            GrpcBdts ofWorker,
            PackingWorker worker,
            PackingFileSystem buffer,
            PackingFileSystem mount,
            RemoteUserMounts users,
            S3GatewayServer server) {
        this.master = master;
        this.ofWorker = ofWorker;
        this.worker = worker;
        this.buffer = buffer;
        this.mount = mount;
        this.users = users;
        this.server = server;
    }

    public static TestGateway start(Path home) throws IOException {
        return start(home, Map.of(), Map.of(), Map.of());
    }

    /** Starts all, with more options of the master, the worker and the gateway. */
    public static TestGateway start(
            Path home, Map<String, String> ofMaster, Map<String, String> ofWorker, Map<String, String> ofGateway)
            throws IOException {
        Path store = Files.createDirectories(home.resolve("store"));
        Map<String, String> masters = new HashMap<>(Map.of(
                "bdt.data.dir", home.resolve("master").toString(), "bdt.port", "0", "bdt.stores", "file://" + store));
        masters.putAll(ofMaster);
        Map<String, String> shared = Map.of(
                "packing.store", store.toUri().toString(), "packing.seal.after", "1s", "packing.durability", "synced");
        BdtMaster master = BdtMaster.start(BdtMasterOptions.from(masters)).serve();
        try {
            Map<String, String> workers = new HashMap<>(shared);
            workers.putAll(ofWorker);
            MountOptions parsed = MountOptions.from(workers);
            // Not the master itself: it would check no rights of the users for whom the worker claims files.
            GrpcBdts bdts = GrpcBdts.connect(
                    "127.0.0.1:" + master.port(), parsed.timeouts().master(), parsed.security());
            PackingWorker worker = PackingWorker.start(
                    new WorkerOptions("w", home.resolve("buffer"), "127.0.0.1", 0, parsed.security()),
                    bdts,
                    ObjectStores::open,
                    Clock.systemUTC(),
                    new SimpleMeterRegistry());
            PackingFileSystem buffer = worker.open(parsed);
            Map<String, String> gateways = new HashMap<>(shared);
            gateways.putAll(ofGateway);
            PackingFileSystem mount = RemotePackingFileSystem.open(
                    master, MountOptions.from(gateways), ObjectStores::open, Writers.preferHost("127.0.0.1"));
            RemoteUserMounts users = RemoteUserMounts.open(
                    "127.0.0.1:" + master.port(),
                    MountOptions.from(gateways),
                    ObjectStores::open,
                    Writers.preferHost("127.0.0.1"),
                    Clock.systemUTC());
            S3GatewayServer server = S3GatewayServer.start(
                    S3GatewayOptions.local(FilePath.ROOT).withDomain("s3.test"),
                    TestKeys.in(home, ALICE, BOB),
                    users,
                    new SimpleMeterRegistry(),
                    Clock.systemUTC(),
                    Seed.random(),
                    System::nanoTime);
            return new TestGateway(master, bdts, worker, buffer, mount, users, server);
        } catch (IOException | RuntimeException e) {
            master.close();
            throw e;
        }
    }

    /** Returns the address of the master. */
    public String masters() {
        return "127.0.0.1:" + master.port();
    }

    /** Returns the port of the master's metrics, if its options name one. */
    int metricsPort() {
        return master.metricsPort();
    }

    public URI uri() {
        return server.uri();
    }

    /** Returns the mount as another door has it, with every right. */
    public PackingFileSystem mount() {
        return mount;
    }

    @Override
    public void close() throws IOException {
        try (master;
                ofWorker;
                worker;
                buffer;
                mount;
                users) {
            server.close();
        }
    }
}
