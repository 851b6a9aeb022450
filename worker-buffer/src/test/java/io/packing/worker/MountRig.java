// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import io.packing.sorted.Boot;
import io.packing.store.FaultyObjectStore;
import io.packing.store.ObjectStores;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

/**
 * Two workers with one mount, a real master, and a store in a directory whose faults a test sets. A buffer directory
 * among the options is the first worker's.
 */
final class MountRig implements AutoCloseable {
    static final CreateOptions NEW = new CreateOptions("o", "g", 0644, true, false);
    static final CreateOptions OVERWRITE = new CreateOptions("o", "g", 0644, true, true);

    private final Path temp;
    private final Clock clock;
    private final Map<String, String> options = new HashMap<>();
    BdtMaster master;
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
        options.put("packing.seal.quiet", "0s");
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        master = startMaster();
        openWorkers();
    }

    private BdtMaster startMaster() throws IOException {
        return BdtMaster.start(BdtMasterOptions.from(Map.of(
                "bdt.data.dir",
                temp.resolve("bdt").toString(),
                "bdt.stores",
                options.getOrDefault("packing.store", ""),
                "bdt.encryption.keystore",
                options.getOrDefault("packing.encryption.keystore", ""))));
    }

    /** Loses the master's disk, and its backups if asked; the named workers open their mounts at the next master. */
    void loseMaster(boolean backups, String... ids) throws IOException {
        endMaster();
        if (backups) {
            for (Path file : files(temp.resolve("store"))) {
                if (file.getFileName().toString().startsWith("backup-")) {
                    Files.delete(file);
                }
            }
        }
        startWithoutDisk(ids);
    }

    /** Ends the workers and the master. */
    void endMaster() throws IOException {
        for (PackingWorker worker : workers) {
            worker.close();
        }
        workers.clear();
        mounts.clear();
        stores.clear();
        master.close();
    }

    /** Starts a master that has lost its disk; the named workers open their mounts there. */
    void startWithoutDisk(String... ids) throws IOException {
        deleteTree(temp.resolve("bdt"));
        master = startMaster();
        for (String id : ids) {
            workers.add(worker(id, temp.resolve(id)));
            mounts.add(workers.get(workers.size() - 1).open(options()));
        }
    }

    static void deleteTree(Path root) throws IOException {
        for (Path path : files(root)) {
            Files.delete(path);
        }
    }

    /** Returns the files and directories of a tree, each before its parent. */
    static List<Path> files(Path root) throws IOException {
        try (Stream<Path> walk = Files.walk(root)) {
            return walk.sorted(Comparator.reverseOrder()).toList();
        }
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

    /** Registers with the id and the buffer directory of a worker, as a second process on that directory would. */
    WorkerSession takeOver(String id) throws IOException {
        Path home = temp.resolve(id);
        String token = BufferOwner.of(home, id).token(Boot.place(home.resolve("LOCK")));
        return mounts.get(mounts.size() - 1).bdt().register(new WorkerRegistration(id, "127.0.0.1:9", token, true));
    }

    /** Starts one more worker at the master of this rig; the caller closes it. */
    PackingWorker worker(String id, Path home) throws IOException {
        return PackingWorker.start(
                new WorkerOptions(id, home, "127.0.0.1", 0),
                master,
                (store, listener) -> {
                    FaultyObjectStore faulty = new FaultyObjectStore(
                            ObjectStores.open(store, listener), Seed.random(), FaultyObjectStore.Rates.NONE);
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

    /** An act that may throw. */
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
