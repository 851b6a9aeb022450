// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/** A master that serves, and a worker with a mount, both of this process and with the defaults that ship, whose store is a directory. */
record DirectoryMount(BdtMaster master, PackingWorker worker, PackingFileSystem mount, String store)
        implements AutoCloseable {
    /** Starts all three below a directory. */
    static DirectoryMount start(Path home) throws IOException {
        String store = Files.createDirectories(home.resolve("store")).toUri().toString();
        BdtMaster master = BdtMaster.start(BdtMasterOptions.from(
                        Map.of("bdt.data.dir", home.resolve("bdt").toString(), "bdt.port", "0", "bdt.stores", store)))
                .serve();
        try {
            PackingWorker worker = PackingWorker.start(
                    new WorkerOptions("w", home.resolve("buffer"), "127.0.0.1", 0),
                    master,
                    ObjectStores::open,
                    Clock.systemUTC(),
                    new SimpleMeterRegistry());
            return new DirectoryMount(
                    master, worker, worker.open(MountOptions.from(Map.of("packing.store", store))), store);
        } catch (IOException | RuntimeException e) {
            master.close();
            throw e;
        }
    }

    /** Returns the address without a path, by which other processes reach the mount. */
    String uri() {
        return "packing://127.0.0.1:" + master.port();
    }

    @Override
    public void close() throws IOException {
        try (master;
                worker) {
            mount.close();
        }
    }
}
