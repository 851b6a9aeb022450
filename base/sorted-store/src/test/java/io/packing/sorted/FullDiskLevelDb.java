// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Two LevelDB stores in a process of their own that are written and read, on a disk that this process fills to the last
 * byte like others would. It prints its counts; a SIGBUS ends it.
 */
final class FullDiskLevelDb {
    private static final int KEYS = 200_000;
    private static final int READS = 30_000;
    private static final int BATCH = 100;
    private static final int VALUE = 100;
    private static final byte[] CHUNK = new byte[64 << 10];

    private final Path disk;
    private final Random random;
    private long wrote;
    private int suspended;

    private FullDiskLevelDb(Path disk, long seed) {
        this.disk = disk;
        this.random = new Random(seed);
    }

    /** Runs with arguments: a directory on a small disk, a seed, the rounds. */
    public static void main(String[] args) throws IOException {
        new FullDiskLevelDb(Path.of(args[0]), Long.parseLong(args[1])).run(Integer.parseInt(args[2]));
    }

    private void run(int rounds) throws IOException {
        SortedStoreOptions config = new SortedStoreOptions(SortedStoreOptions.Engine.LEVELDB, 1 << 20, 256 << 10, 1);
        for (int round = 0; round < rounds; round++) {
            try (SortedStore one = SortedStores.open(disk.resolve("one"), config);
                    SortedStore two = SortedStores.open(disk.resolve("two"), config)) {
                long after = wrote + random.nextInt(200_000);
                while (wrote < after) {
                    write(one);
                    write(two);
                }
                // Fill the disk in the middle of the work that these writes started.
                fill(one, config.keptFreeBytes());
                read(one);
                read(two);
                suspended += DiskWatch.PROCESS.isSuspended() ? 1 : 0;
                if (round % 2 == 0) {
                    Files.delete(disk.resolve("others"));
                    awaitWrite(one);
                    awaitWrite(two);
                }
                // Every other round closes the stores on the full disk.
            }
            Files.deleteIfExists(disk.resolve("others"));
        }
        System.out.println("suspended " + suspended);
    }

    private void write(SortedStore store) throws IOException {
        WriteBatch batch = new WriteBatch();
        for (int i = 0; i < BATCH; i++) {
            byte[] value = new byte[VALUE];
            random.nextBytes(value);
            batch.put(key(random.nextInt(KEYS)), value);
        }
        store.write(batch, SortedStore.Sync.NONE);
        wrote += BATCH;
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(8).putLong(number).array();
    }

    /** Writes until no byte is left, the last ones when the background work had the time to end. */
    private void fill(SortedStore store, long kept) throws IOException {
        boolean refused = false;
        try (OutputStream out = Files.newOutputStream(disk.resolve("others"))) {
            while (true) {
                out.write(CHUNK);
                try {
                    write(store);
                } catch (DiskFullException e) {
                    refused = true;
                }
                read(store, 20);
                while (Files.getFileStore(disk).getUsableSpace() < kept / 2 && !DiskWatch.PROCESS.isSuspended()) {
                    read(store, 20);
                }
            }
        } catch (IOException full) {
            if (Files.getFileStore(disk).getUsableSpace() > CHUNK.length || !refused) {
                throw full;
            }
        }
    }

    private void read(SortedStore store) throws IOException {
        read(store, READS);
    }

    private void read(SortedStore store, int reads) throws IOException {
        for (int i = 0; i < reads; i++) {
            byte[] found = store.get(key(random.nextInt(KEYS))).orElse(new byte[VALUE]);
            if (found.length != VALUE) {
                throw new IOException("a value of %d bytes".formatted(found.length));
            }
        }
    }

    private void awaitWrite(SortedStore store) throws IOException {
        while (true) {
            try {
                write(store);
                return;
            } catch (DiskFullException e) {
                // The watch has not seen the free space yet.
                Thread.onSpinWait();
            }
        }
    }
}
