// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** A BDT master and a worker of this JVM over a directory, and a client of them as a server of volumes is. */
final class TestMount implements AutoCloseable {
    static final FilePath VOLUME = new FilePath("/v");

    private final BdtMaster master;
    private final PackingWorker worker;
    private final PackingFileSystem local;
    private final GrpcBdts bdts;
    private final RemotePackingFileSystem mount;

    private TestMount(Path home) throws IOException {
        Path store = Files.createDirectories(home.resolve("store"));
        this.master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        home.resolve("master").toString(),
                        "bdt.port",
                        "0",
                        "bdt.stores",
                        "file://" + store)))
                .serve();
        MountOptions options = MountOptions.from(new HashMap<>(Map.of(
                "packing.store", store.toUri().toString(),
                "packing.seal.after", "1s",
                "packing.durability", "synced")));
        this.worker = PackingWorker.start(
                new WorkerOptions("w", home.resolve("buffer"), "127.0.0.1", 0, options.security()),
                master,
                ObjectStores::open,
                Clock.systemUTC(),
                new SimpleMeterRegistry());
        this.local = worker.open(options);
        this.bdts = GrpcBdts.connect("127.0.0.1:" + master.port(), Duration.ofSeconds(30));
        this.mount = RemotePackingFileSystem.open(bdts, options, ObjectStores::open, Writers.preferHost("127.0.0.1"));
    }

    static TestMount start(Path home) throws IOException {
        return new TestMount(home);
    }

    RemotePackingFileSystem mount() {
        return mount;
    }

    VolumeFiles files() {
        return new VolumeFiles(mount.bdt());
    }

    String masters() {
        return "127.0.0.1:" + master.port();
    }

    @Override
    public void close() throws IOException {
        try (master;
                worker;
                local;
                bdts) {
            mount.close();
        }
    }
}
