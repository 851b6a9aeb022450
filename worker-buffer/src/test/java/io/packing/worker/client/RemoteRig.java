// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.client;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.WorkerOptions;
import io.packing.worker.api.Writers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** A master behind gRPC, for workers and clients of tests. No file is sealed but by order or size. */
public final class RemoteRig implements AutoCloseable {
    private final Path temp;
    private final BdtMaster master;
    private final GrpcBdts bdts;

    /** Starts a master, whose mount has its store and all else below a directory. */
    public RemoteRig(Path temp) throws IOException {
        this.temp = temp;
        Files.createDirectories(temp.resolve("store"));
        this.master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        temp.resolve("master").toString(),
                        "bdt.port",
                        "0",
                        "bdt.stores",
                        "file://" + temp)))
                .serve();
        this.bdts = GrpcBdts.connect("127.0.0.1:" + master.port(), Duration.ofSeconds(10));
    }

    public GrpcBdts bdts() {
        return bdts;
    }

    /** Returns options of the mount; keys and values in turn. */
    public MountOptions options(String... more) {
        Map<String, String> raw = new HashMap<>();
        raw.put("packing.store", temp.resolve("store").toUri().toString());
        raw.put("packing.threads", "2");
        raw.put("packing.seal.after", "1h");
        raw.put("packing.seal.quiet", "0s");
        for (int i = 0; i < more.length; i += 2) {
            raw.put(more[i], more[i + 1]);
        }
        return MountOptions.from(raw);
    }

    public PackingWorker worker(String id) throws IOException {
        return worker(id, ObjectStores::open);
    }

    public PackingWorker worker(String id, PackingWorker.StoreOpener stores) throws IOException {
        return PackingWorker.start(
                new WorkerOptions(id, temp.resolve("buffer-" + id), "127.0.0.1", 0),
                bdts,
                stores,
                Clock.systemUTC(),
                new SimpleMeterRegistry());
    }

    public RemotePackingFileSystem remote(MountOptions options, Writers writers) throws IOException {
        return RemotePackingFileSystem.open(bdts, options, ObjectStores.open(options.store()), writers);
    }

    @Override
    public void close() {
        bdts.close();
        master.close();
    }
}
