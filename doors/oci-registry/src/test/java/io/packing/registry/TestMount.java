// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.registry.files.MountFiles;
import io.packing.registry.files.RegistryFiles;
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

/** A BDT master and a worker of this JVM with one mount over a directory. */
public final class TestMount implements AutoCloseable {
    private final BdtMaster master;
    private final PackingWorker worker;
    private final PackingFileSystem mount;
    private final MountOptions options;

    private TestMount(BdtMaster master, PackingWorker worker, PackingFileSystem mount, MountOptions options) {
        this.master = master;
        this.worker = worker;
        this.mount = mount;
        this.options = options;
    }

    /** Starts all three, below a directory. */
    public static TestMount start(Path home) throws IOException {
        return start(home, home.resolve("master"), home.resolve("buffer"));
    }

    /**
     * Starts all three.
     *
     * @param data the master's directory
     * @param buffer the worker's directory
     */
    static TestMount start(Path home, Path data, Path buffer) throws IOException {
        Path store = Files.createDirectories(home.resolve("store"));
        Map<String, String> options = Map.of(
                "packing.store",
                store.toUri().toString(),
                "packing.seal.after",
                "1s",
                "packing.durability",
                "buffered",
                // A refusal for a full disk comes so soon.
                "packing.master.timeout",
                "5s");
        BdtMaster master = BdtMaster.start(BdtMasterOptions.from(
                        Map.of("bdt.data.dir", data.toString(), "bdt.port", "0", "bdt.stores", "file://" + store)))
                .serve();
        try {
            PackingWorker worker = PackingWorker.start(
                    new WorkerOptions("w", buffer, "127.0.0.1", 0),
                    master,
                    ObjectStores::open,
                    Clock.systemUTC(),
                    new SimpleMeterRegistry());
            MountOptions parsed = MountOptions.from(options);
            return new TestMount(master, worker, worker.open(parsed), parsed);
        } catch (IOException | RuntimeException e) {
            master.close();
            throw e;
        }
    }

    /** Returns the mount as its worker has it. */
    public PackingFileSystem mount() {
        return mount;
    }

    public RegistryFiles files() {
        return new MountFiles(mount, options);
    }

    MountOptions options() {
        return options;
    }

    /** Returns the mount as another process has it; the caller closes both. */
    GrpcBdts connect() {
        return GrpcBdts.connect("127.0.0.1:" + master.port(), options.timeouts().master(), options.security());
    }

    @Override
    public void close() throws IOException {
        try (master;
                worker) {
            mount.close();
        }
    }
}
