package io.packing.cli.rig;

import io.packing.bdt.client.GrpcBdts;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.StoreOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An S3 server, a BDT master and workers, each a process: the engine without Alluxio. */
public record EngineRig(S3Process s3, String masterAddress, Map<String, String> mountOptions) {
    /** The prefix of the bucket that packing stores below. */
    public static final String PACKED = "packed";
    /** The prefix for one object per file. */
    public static final String DIRECT = "direct";

    /** Starts all of it; the workspace stops it. */
    public static EngineRig start(
            Workspace workspace, S3Process.Limits limits, int workers, Map<String, String> mountOptions)
            throws IOException, InterruptedException {
        S3Process s3 = S3Process.start(workspace, limits);
        Map<String, String> options = new LinkedHashMap<>(s3.storeOptions(PACKED));
        options.putAll(mountOptions);
        EngineRig rig = new EngineRig(
                s3, Servers.startBdtMaster(workspace, s3.allowed(PACKED)).address(), Map.copyOf(options));
        for (int i = 0; i < workers; i++) {
            rig.startWorker(workspace, "worker-" + i);
        }
        return rig;
    }

    private void startWorker(Workspace workspace, String id) throws IOException, InterruptedException {
        Map<String, String> options = new LinkedHashMap<>(mountOptions);
        options.keySet().removeAll(List.of(StoreOptions.ACCESS_KEY.key(), StoreOptions.SECRET_KEY.key()));
        Map<String, String> environment =
                Map.of("PACKING_S3_ACCESS_KEY", S3Process.ACCESS_KEY, "PACKING_S3_SECRET_KEY", S3Process.SECRET_KEY);
        Servers.startWorker(workspace, id, masterAddress, options, environment);
    }

    /** A new client of the mount, with a cold cache. */
    public Client client() throws IOException {
        MountOptions options = MountOptions.from(mountOptions);
        GrpcBdts bdts = GrpcBdts.connect(masterAddress, Servers.START);
        return new Client(
                bdts,
                RemotePackingFileSystem.open(
                        bdts, options, ObjectStores.open(options.store()), Writers.preferHost("127.0.0.1")));
    }

    /** The same bucket without packing: one object per file. */
    public ObjectStore direct() throws IOException {
        return ObjectStores.open(StoreOptions.from(s3.storeOptions(DIRECT)));
    }

    /** A client and the connection it uses. */
    public record Client(GrpcBdts bdts, RemotePackingFileSystem mount) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            try (bdts) {
                mount.close();
            }
        }
    }
}
