// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.client.GrpcBdts;
import io.packing.store.ObjectStores;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.BufferOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.WorkerOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import io.packing.worker.read.ReadCaches;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;

/** Serves mounts with a packing worker in this process, or with those of other processes, over gRPC. */
final class RealEngines implements Engines {
    private static final int ANY_PORT = 0;

    private final ReadCaches caches = new ReadCaches();

    @Override
    public PackingFileSystem embedded(UfsOptions settings, String worker, String host, Path buffer) throws IOException {
        MountOptions options = options(settings);
        GrpcBdts master = master(settings, options);
        try {
            PackingWorker engine = PackingWorker.start(
                    new WorkerOptions(worker, buffer, host, ANY_PORT, options.security()),
                    master,
                    ObjectStores::open,
                    Clock.systemUTC(),
                    new SimpleMeterRegistry(),
                    caches);
            try {
                return new OwningFileSystem(engine.open(options), engine, master);
            } catch (IOException | RuntimeException e) {
                engine.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            master.close();
            throw e;
        }
    }

    @Override
    public PackingFileSystem remote(UfsOptions settings, String host) throws IOException {
        MountOptions options = options(settings);
        GrpcBdts master = master(settings, options);
        try {
            return new OwningFileSystem(
                    RemotePackingFileSystem.open(master, options, ObjectStores::open, Writers.preferHost(host), caches),
                    master);
        } catch (IOException | RuntimeException e) {
            master.close();
            throw e;
        }
    }

    /** Returns the options with the slot's directory; the configured option only named the directory of slots. */
    private static MountOptions options(UfsOptions settings) {
        Map<String, String> raw = new HashMap<>(settings.options());
        raw.remove(BufferOptions.DIRECTORY.key());
        return MountOptions.from(raw);
    }

    private static GrpcBdts master(UfsOptions settings, MountOptions options) {
        return GrpcBdts.connect(settings.master(), options.timeouts().master(), options.security());
    }
}
