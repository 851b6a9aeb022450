// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import io.packing.store.ObjectStores;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.WorkerOptions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two workers, a real master and a store that fails now and then behave like a map of paths to bytes. */
final class WorkerModelTest {
    private static final int WORKERS = 2;

    @TempDir
    private Path temp;

    private final AtomicBoolean storeDown = new AtomicBoolean();
    private final AtomicInteger puts = new AtomicInteger();
    private final List<PackingWorker> workers = new ArrayList<>();
    private final List<PackingFileSystem> mounts = new ArrayList<>();

    @ParameterizedTest
    @Timeout(120)
    @CsvSource({
        "fifo,leveldb,none,segment",
        "directory,rocksdb,none,segment",
        "size,leveldb,deflate,segment",
        "fifo,leveldb,deflate,store",
        "directory,rocksdb,none,store",
        "fifo,leveldb,zstd,segment",
        "directory,leveldb,zstd,store"
    })
    void twoWorkersAndAMasterBehaveAsAMap(String policy, String engine, String compression, String values)
            throws Exception {
        long seed = Seed.value();
        System.out.printf("WorkerModelTest %s %s %s: seed %d%n", policy, engine, values, seed);
        Files.createDirectories(temp.resolve("store"));
        Map<String, String> options = Map.of(
                "packing.store",
                temp.resolve("store").toUri().toString(),
                "packing.policy",
                policy,
                "packing.buffer.engine",
                engine,
                "packing.compression",
                compression,
                "packing.buffer.values",
                values,
                "packing.blob.max.bytes",
                "256KB",
                "packing.spill.bytes",
                "64KB",
                "packing.threads",
                "3",
                "packing.seal.after",
                "50ms");
        BdtMasterOptions config = BdtMasterOptions.from(
                Map.of("bdt.data.dir", temp.resolve("bdt").toString(), "bdt.stores", "file://" + temp));
        try (BdtMaster master = BdtMaster.start(config)) {
            for (int i = 0; i < WORKERS; i++) {
                workers.add(start(i, master));
                mounts.add(workers.get(i).open(MountOptions.from(options)));
            }
            run(new Random(seed), seed, master, options);
            storeDown.set(false);
            for (PackingWorker worker : workers) {
                worker.close();
            }
        }
        assertThat(puts.get()).as("seed %d: blobs pushed", seed).isPositive();
    }

    private void run(Random random, long seed, BdtMaster master, Map<String, String> options) throws Exception {
        TreeMap<String, byte[]> model = new TreeMap<>();
        for (int step = 0; step < 600; step++) {
            PackingFileSystem mount = mounts.get(random.nextInt(WORKERS));
            String path = "/d%d/f %d%%ü".formatted(random.nextInt(4), random.nextInt(12));
            String context = "seed %d step %d %s".formatted(seed, step, path);
            switch (random.nextInt(12)) {
                case 0, 1, 2, 3 -> write(mount, model, path, bytes(random), random.nextBoolean(), context);
                case 4 -> {
                    Outcome outcome = mount.bdt().delete(new FilePath(path), false);
                    assertThat(outcome == Outcome.DONE).as(context).isEqualTo(model.remove(path) != null);
                }
                case 5 -> rename(mount, model, path, path + random.nextInt(3), context);
                case 6 -> storeDown.set(random.nextInt(3) == 0);
                case 7 -> {
                    if (random.nextInt(4) == 0) {
                        storeDown.set(false);
                        mount.flush();
                    }
                }
                case 8 -> {
                    if (random.nextInt(8) == 0) {
                        int number = random.nextInt(WORKERS);
                        workers.get(number).close();
                        workers.set(number, start(number, master));
                        // The opening of a mount needs the store, and buffered files wait for it.
                        storeDown.set(false);
                        mounts.set(number, workers.get(number).open(MountOptions.from(options)));
                    }
                }
                default -> check(mount, model, path, context);
            }
        }
        storeDown.set(false);
        for (int round = 0; round < 2; round++) {
            for (PackingFileSystem mount : mounts) {
                for (String path : model.keySet()) {
                    check(mount, model, path, "seed %d round %d %s".formatted(seed, round, path));
                }
            }
            mounts.get(0).flush();
            assertThat(mounts.get(0).bdt().statistics().bufferedFiles())
                    .as("seed %d", seed)
                    .isZero();
        }
    }

    private PackingWorker start(int number, BdtMaster master) throws IOException {
        String worker = "w" + number;
        return PackingWorker.start(
                new WorkerOptions(worker, temp.resolve(worker), "127.0.0.1", 0),
                master,
                (store, listener) -> new GatedStore(ObjectStores.open(store, listener), storeDown, puts),
                Clock.systemUTC(),
                new SimpleMeterRegistry());
    }

    private static byte[] bytes(Random random) {
        int size = switch (random.nextInt(10)) {
            case 0 -> 0;
            case 1 -> 64 << 10;
            case 2 -> 100_000 + random.nextInt(900_000);
            default -> random.nextInt(9_000);
        };
        byte[] bytes = new byte[size];
        if (random.nextBoolean()) {
            random.nextBytes(bytes);
        }
        return bytes;
    }

    private static void write(
            PackingFileSystem mount,
            Map<String, byte[]> model,
            String path,
            byte[] bytes,
            boolean overwrite,
            String context)
            throws IOException {
        boolean refused = false;
        try (PackingOutput out = mount.create(new FilePath(path), new CreateOptions("o", "g", 0644, true, overwrite))) {
            out.write(bytes);
            out.close();
        } catch (FileAlreadyExistsException e) {
            refused = true;
        }
        assertThat(refused).as(context).isEqualTo(!overwrite && model.containsKey(path));
        if (!refused) {
            model.put(path, bytes);
        }
    }

    private static void rename(
            PackingFileSystem mount, Map<String, byte[]> model, String from, String to, String context)
            throws IOException {
        Outcome outcome = mount.bdt().rename(new FilePath(from), new FilePath(to));
        boolean possible = model.containsKey(from) && !model.containsKey(to);
        assertThat(outcome == Outcome.DONE).as(context).isEqualTo(possible);
        if (possible) {
            model.put(to, model.remove(from));
        }
    }

    private void check(PackingFileSystem mount, Map<String, byte[]> model, String path, String context)
            throws IOException {
        byte[] expected = model.get(path);
        if (expected == null) {
            assertThat(mount.bdt().stat(new FilePath(path))).as(context).isEmpty();
            return;
        }
        // Packed files cannot be read while the store is away; that is not the subject of this test.
        boolean wasDown = storeDown.getAndSet(false);
        assertThat(read(mount, path)).as(context).isEqualTo(expected);
        storeDown.set(wasDown);
    }

    private static byte[] read(PackingFileSystem mount, String path) throws IOException {
        try (PackingInput in = mount.open(new FilePath(path))) {
            List<ByteBuffer> pieces = new ArrayList<>();
            long position = 0;
            while (true) {
                ByteBuffer piece = ByteBuffer.allocate(50_000);
                int count = in.read(position, piece);
                if (count < 0) {
                    break;
                }
                position += count;
                pieces.add(piece.flip());
            }
            ByteBuffer all = ByteBuffer.allocate((int) position);
            pieces.forEach(all::put);
            return all.array();
        } catch (FileNotFoundException e) {
            throw new AssertionError(path + " is gone", e);
        }
    }
}
