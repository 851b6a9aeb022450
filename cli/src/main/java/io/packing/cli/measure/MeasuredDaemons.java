// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.measure;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.bdt.master.Stores;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.sorted.SortedStores;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.RequestListener;
import io.packing.store.RequestMeter;
import io.packing.store.StoreOptions;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** A master and a worker of a measurement, on loopback, with one meter for all their requests to the store. */
final class MeasuredDaemons implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String OF_STORE = "packing.s3.";

    private final BdtMaster master;
    private final GrpcBdts bdts;
    private final PackingWorker worker;

    private MeasuredDaemons(BdtMaster master, GrpcBdts bdts, PackingWorker worker) {
        this.master = master;
        this.bdts = bdts;
        this.worker = worker;
    }

    /**
     * Starts both.
     *
     * @param options that lead to the store
     * @param home folder for their data
     * @param meter receives all requests to the store
     */
    static MeasuredDaemons start(Map<String, String> options, Path home, RequestMeter meter) throws IOException {
        BdtMasterOptions config = BdtMasterOptions.from(
                Map.of("bdt.data.dir", home.resolve("master").toString(), "bdt.port", "0"));
        BdtMaster master = BdtMaster.start(config, stores(options, meter));
        try {
            GrpcBdts bdts = GrpcBdts.connect("127.0.0.1:" + master.serve().port(), PATIENCE);
            try {
                PackingWorker worker = PackingWorker.start(
                        new WorkerOptions("measured", home.resolve("buffer"), "127.0.0.1", 0),
                        bdts,
                        (store, listener) -> ObjectStores.open(store, both(listener, meter)),
                        Clock.systemUTC(),
                        new SimpleMeterRegistry());
                return new MeasuredDaemons(master, bdts, worker);
            } catch (IOException | RuntimeException e) {
                bdts.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            master.close();
            throw e;
        }
    }

    /** Returns stores with the command's own credentials, since a file of credentials stays with its process. */
    private static Stores stores(Map<String, String> options, RequestMeter meter) {
        return new Stores() {
            @Override
            public SortedStore sorted(Path directory, SortedStoreOptions config) throws IOException {
                return SortedStores.open(directory, config);
            }

            @Override
            public ObjectStore objects(Map<String, String> asked) throws IOException {
                return objects(asked, RequestListener.NONE);
            }

            @Override
            public ObjectStore objects(Map<String, String> asked, RequestListener listener) throws IOException {
                Map<String, String> own = new HashMap<>(asked);
                own.keySet().removeIf(key -> key.startsWith(OF_STORE));
                options.forEach((key, value) -> {
                    if (key.startsWith(OF_STORE)) {
                        own.put(key, value);
                    }
                });
                return ObjectStores.open(StoreOptions.from(own), both(listener, meter));
            }
        };
    }

    private static RequestListener both(RequestListener one, RequestListener other) {
        return (kind, bytes, outcome) -> {
            one.request(kind, bytes, outcome);
            other.request(kind, bytes, outcome);
        };
    }

    /** Opens a mount at the worker, which makes it. */
    PackingFileSystem open(Map<String, String> options) throws IOException {
        return worker.open(MountOptions.from(options));
    }

    @Override
    public void close() throws IOException {
        try {
            worker.close();
        } finally {
            try {
                bdts.close();
            } finally {
                master.close();
            }
        }
    }
}
