// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.nbd.NbdServer;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Servers in processes of their own, which a test kills: {@code KIND HOME MASTER_PORT PORT}. */
public final class ChildServers {
    /** The line that a started server prints. */
    static final String READY = "ready";

    private ChildServers() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Path home = Path.of(args[1]);
        int masterPort = Integer.parseInt(args[2]);
        int port = Integer.parseInt(args[3]);
        switch (args[0]) {
            case "master" -> master(home, masterPort);
            case "worker" -> worker(home, masterPort, port);
            case "volume" -> volume(home, masterPort, port);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    static MountOptions options(Path home) {
        return MountOptions.from(Map.of(
                "packing.store", home.resolve("store").toUri().toString(),
                "packing.seal.after", "1s",
                "packing.durability", "synced",
                "packing.worker.timeout", "2s",
                "packing.master.timeout", "2s"));
    }

    private static void await() throws InterruptedException {
        System.out.println(READY);
        new CountDownLatch(1).await();
    }

    private static void master(Path home, int port) throws IOException, InterruptedException {
        try (BdtMaster unused = BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir", home.resolve("master").toString(),
                        "bdt.port", String.valueOf(port),
                        "bdt.stores", "file://" + home.resolve("store"))))
                .serve()) {
            await();
        }
    }

    private static void worker(Path home, int masterPort, int port) throws IOException, InterruptedException {
        MountOptions options = options(home);
        try (GrpcBdts bdts = GrpcBdts.connect("127.0.0.1:" + masterPort, Duration.ofSeconds(30));
                PackingWorker worker = PackingWorker.start(
                        new WorkerOptions("w", home.resolve("buffer"), "127.0.0.1", port, options.security()),
                        bdts,
                        ObjectStores::open,
                        Clock.systemUTC(),
                        new SimpleMeterRegistry());
                PackingFileSystem unused = worker.open(options)) {
            await();
        }
    }

    private static void volume(Path home, int masterPort, int port) throws IOException, InterruptedException {
        ExecutorService background = Executors.newSingleThreadExecutor();
        FilePath path = TestMount.VOLUME;
        try (GrpcBdts bdts = GrpcBdts.connect("127.0.0.1:" + masterPort, Duration.ofSeconds(2));
                RemotePackingFileSystem mount = RemotePackingFileSystem.open(
                        bdts, options(home), ObjectStores::open, Writers.preferHost("127.0.0.1"));
                Volume volume = Volume.open(mount, path, false, VolumeMemory.USUAL, background);
                NbdServer unused = NbdServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        new VolumeExport(path, volume),
                        Optional.empty())) {
            await();
        }
    }
}
