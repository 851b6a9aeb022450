package io.packing.worker;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterConfig;
import io.packing.blob.FilePath;
import io.packing.store.FaultyObjectStore;
import io.packing.store.ObjectStores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Two workers with one mount, a real master, and a store in a directory that does as a test says. A buffer directory among
 * the options is the first worker's.
 */
final class MountRig implements AutoCloseable {
    static final CreateOptions NEW = new CreateOptions("o", "g", 0644, true, false);
    static final CreateOptions OVERWRITE = new CreateOptions("o", "g", 0644, true, true);

    private final Path temp;
    private final Clock clock;
    private final Map<String, String> options = new HashMap<>();
    private final BdtMaster master;
    final SimpleMeterRegistry simple = new SimpleMeterRegistry();
    final CompositeMeterRegistry metrics = new CompositeMeterRegistry();
    final List<FaultyObjectStore> stores = new ArrayList<>();
    final List<PackingWorker> workers = new ArrayList<>();
    final List<PackingFileSystem> mounts = new ArrayList<>();

    MountRig(Path temp, Clock clock, String... more) throws IOException {
        this.temp = temp;
        this.clock = clock;
        metrics.add(simple);
        options.put(
                "packing.store",
                Files.createDirectories(temp.resolve("store")).toUri().toString());
        options.put("packing.threads", "2");
        options.put("packing.seal.after", "1h");
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        master = BdtMaster.start(BdtMasterConfig.from(Map.of(
                "bdt.data.dir",
                temp.resolve("bdt").toString(),
                "bdt.stores",
                options.getOrDefault("packing.store", ""))));
        openWorkers();
    }

    private void openWorkers() throws IOException {
        for (int i = 0; i < 2; i++) {
            String id = "w" + i;
            workers.add(worker(id, temp.resolve(id)));
            Map<String, String> own = new HashMap<>(options);
            if (i > 0) {
                own.remove("packing.buffer.dir");
            }
            mounts.add(workers.get(i).open(MountOptions.from(own)));
        }
    }

    /** One more worker at the master of this rig; the caller closes it. */
    PackingWorker worker(String id, Path home) throws IOException {
        return PackingWorker.start(
                new WorkerConfig(id, home, "127.0.0.1", 0),
                master,
                (store, listener) -> {
                    FaultyObjectStore faulty = new FaultyObjectStore(
                            ObjectStores.open(store, listener), new Random(1), FaultyObjectStore.Rates.NONE);
                    stores.add(faulty);
                    return faulty;
                },
                clock,
                metrics);
    }

    MountOptions options() {
        return MountOptions.from(options);
    }

    void restartWorkers() throws IOException {
        for (PackingWorker worker : workers) {
            worker.close();
        }
        workers.clear();
        mounts.clear();
        stores.clear();
        openWorkers();
    }

    static void write(PackingFileSystem mount, String path, byte[] bytes, CreateOptions options) throws IOException {
        try (PackingOutput out = mount.create(new FilePath(path), options)) {
            out.write(bytes);
        }
    }

    static byte[] read(PackingFileSystem mount, String path) throws IOException {
        try (PackingInput in = mount.open(new FilePath(path))) {
            ByteBuffer all = ByteBuffer.allocate((int) in.attributes().length());
            while (all.hasRemaining() && in.read(all.position(), all) > 0) {
                // Reads on.
            }
            if (all.hasRemaining()) {
                throw new IOException("%s ends %d bytes early".formatted(path, all.remaining()));
            }
            return all.array();
        }
    }

    static byte[] bytes(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** What may throw. */
    interface Action {
        void run() throws Exception;
    }

    static CompletableFuture<Void> async(Action action) {
        return CompletableFuture.runAsync(() -> {
            try {
                action.run();
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        });
    }

    @Override
    public void close() throws IOException {
        for (PackingWorker worker : workers) {
            worker.close();
        }
        master.close();
    }
}
