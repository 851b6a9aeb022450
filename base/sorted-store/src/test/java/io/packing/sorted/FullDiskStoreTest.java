// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.seed.Seed;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk that other programs fill to the last byte does not end a process with a LevelDB, costs a RocksDB no data, and
 * keeps no write. A kept write would wait in native code, which no interrupt ends.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("process")
class FullDiskStoreTest {
    private static final long SEED = Seed.value();

    private static final int ROUNDS = 4;

    @TempDir
    private Path temp;

    @Test
    void othersMayFillTheDiskInTheMiddleOfALoadAndReadsGoOn() throws IOException, InterruptedException {
        try (SmallDisk small = new SmallDisk("200m")) {
            Path disk = small.directory;
            int code = run(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx192m",
                    "-XX:-CreateCoredumpOnCrash",
                    "-XX:ErrorFile=" + temp.resolve("crash.log"),
                    "-cp",
                    System.getProperty("java.class.path"),
                    FullDiskLevelDb.class.getName(),
                    disk.toString(),
                    Long.toString(SEED),
                    Integer.toString(ROUNDS));
            String out = Files.readString(temp.resolve("out"));
            assertThat(code).as("seed %d: %s", SEED, out).isZero();
            assertThat(out).as("seed %d", SEED).contains("suspended " + ROUNDS);
        }
    }

    /**
     * Another program takes the space between the look at the disk and the write. RocksDB writes half a batch to its
     * log then.
     */
    @Test
    void aRocksDbWhoseLogMetTheFullDiskHasAllThatWasAcknowledged() throws IOException, InterruptedException {
        Random random = new Random(SEED);
        try (SmallDisk small = new SmallDisk("64m")) {
            Path disk = small.directory;
            Path directory = disk.resolve("s");
            SortedStoreOptions config = SortedStoreContract.config(SortedStoreOptions.Engine.ROCKSDB, 0);
            Set<Integer> acknowledged = new HashSet<>();
            int key = 0;
            for (int round = 0; round < ROUNDS; round++) {
                SortedStore store = SortedStores.open(directory, config, () -> Long.MAX_VALUE);
                boolean failed = false;
                try (OutputStream others = Files.newOutputStream(disk.resolve("others"))) {
                    while (!failed) {
                        failed = !write(store, ++key, random, acknowledged);
                        fill(others, 40_000);
                    }
                }
                Files.delete(disk.resolve("others"));
                for (int after = 0; after < 20; after++) {
                    boolean unused = write(store, ++key, random, acknowledged);
                }
                try {
                    store.close();
                } catch (IOException e) {
                    // Open it as after a kill.
                }
                assertHasAll(directory, config, acknowledged);
            }
        }
    }

    /**
     * Two memory tables are full when the write of the first one meets the full disk, and the next write waits for it.
     */
    @Test
    void aRocksDbThatOthersFillKeepsNoWriteAndGoesOnByItself() throws IOException, InterruptedException {
        Random random = new Random(SEED);
        try (SmallDisk small = new SmallDisk("64m")) {
            Path disk = small.directory;
            Path directory = disk.resolve("s");
            SortedStoreOptions config = SortedStoreContract.config(SortedStoreOptions.Engine.ROCKSDB, 0);
            Set<Integer> acknowledged = new HashSet<>();
            try (SortedStore store = SortedStores.open(directory, config)) {
                int large = 4 << 20;
                write(store, 1, bytes(random, large));
                acknowledged.add(1);
                long free = Files.getFileStore(disk).getUsableSpace();
                Files.write(disk.resolve("others"), new byte[(int) free - large + (large >> 3)]);
                assertThatIOException()
                        .as("seed %d", SEED)
                        .isThrownBy(() -> {
                            for (int key = 2; key < 100; key++) {
                                write(store, key, bytes(random, 300 << 10));
                                acknowledged.add(key);
                            }
                        })
                        .withMessageContaining("free some space")
                        .matches(DiskFullException::isCauseOf);
                Files.delete(disk.resolve("others"));
                for (int key = 100; !write(store, key, random, acknowledged); key++) {
                    // RocksDB looks for space now and then.
                    Thread.sleep(100);
                }
            }
            assertHasAll(directory, config, acknowledged);
        }
    }

    @Test
    void aRocksDbWithManyWritersIsClosedOnTheFullDisk() throws Exception {
        try (SmallDisk small = new SmallDisk("64m")) {
            Path disk = small.directory;
            Path directory = disk.resolve("s");
            SortedStoreOptions config = SortedStoreContract.config(SortedStoreOptions.Engine.ROCKSDB, 0);
            Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
            AtomicInteger keys = new AtomicInteger();
            ExecutorService writers = Executors.newFixedThreadPool(4);
            SortedStore store = SortedStores.open(directory, config);
            Files.write(disk.resolve("others"), new byte[40 << 20]);
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Random random = new Random(SEED + i);
                ends.add(writers.submit(() -> {
                    boolean taken = true;
                    while (taken) {
                        taken = write(store, keys.incrementAndGet(), random, acknowledged);
                    }
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
            writers.shutdown();
            try {
                store.close();
            } catch (IOException e) {
                // Open it as after a kill.
            }
            Files.delete(disk.resolve("others"));
            assertHasAll(directory, config, acknowledged);
        }
    }

    @Test
    void aWriteThatRocksDbPutOffIsRefusedOnceTheDiskIsFull() throws IOException {
        SortedStoreOptions config = SortedStoreContract.config(SortedStoreOptions.Engine.ROCKSDB, 1);
        AtomicInteger asked = new AtomicInteger();
        Set<Integer> acknowledged = new HashSet<>();
        Path directory = temp.resolve("s");
        // The disk is full from the second look of a write on.
        try (SortedStore store =
                SortedStores.open(directory, config, () -> asked.incrementAndGet() <= 1 ? Long.MAX_VALUE >> 1 : 0)) {
            assertThatExceptionOfType(DiskFullException.class).isThrownBy(() -> {
                for (int key = 1; key < 1_000; key++) {
                    asked.set(0);
                    write(store, key, new byte[1 << 20]);
                    acknowledged.add(key);
                }
            });
            asked.set(Integer.MIN_VALUE);
            write(store, 1_000, new byte[0]);
        }
        assertHasAll(directory, config, acknowledged);
    }

    private static void write(SortedStore store, int key, byte[] value) throws IOException {
        store.write(new WriteBatch().put(KilledWriter.key(key), value), SortedStore.Sync.NONE);
    }

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static boolean write(SortedStore store, int key, Random random, Set<Integer> acknowledged) {
        byte[] value = bytes(random, random.nextInt(9_000));
        try {
            store.write(new WriteBatch().put(KilledWriter.key(key), value), SortedStore.Sync.FSYNC);
            acknowledged.add(key);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void fill(OutputStream others, int bytes) {
        try {
            others.write(new byte[bytes]);
        } catch (IOException e) {
            // The disk is full.
        }
    }

    private static void assertHasAll(Path directory, SortedStoreOptions config, Set<Integer> keys) throws IOException {
        try (SortedStore store = SortedStores.open(directory, config, () -> Long.MAX_VALUE)) {
            for (int key : keys) {
                assertThat(store.get(KilledWriter.key(key)))
                        .as("seed %d: batch %d of %d", SEED, key, keys.size())
                        .isPresent();
            }
        }
    }

    private final class SmallDisk implements AutoCloseable {
        private final Path directory = Files.createDirectories(temp.resolve("disk"));

        SmallDisk(String size) throws IOException, InterruptedException {
            assumeTrue(
                    run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", directory.toString()) == 0,
                    "a full disk is tested where mounting a tmpfs is permitted: run as root");
        }

        @Override
        public void close() throws IOException {
            try {
                assertThat(run("umount", "-l", directory.toString())).isZero();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(temp.resolve("out").toFile())
                .start()
                .waitFor();
    }
}
