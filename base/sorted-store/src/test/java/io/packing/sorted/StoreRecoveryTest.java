// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.seed.Seed;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The recovery of every engine's store after a kill, after a power loss, and after damage of the log by a disk. */
class StoreRecoveryTest {
    /** The block of the log's format. */
    private static final int BLOCK = 32_768;

    private static final int SECTOR = 512;

    @TempDir
    private Path temp;

    @ParameterizedTest
    @EnumSource(SortedStoreOptions.Engine.class)
    void everythingSyncedSurvivesAKill(SortedStoreOptions.Engine engine) throws Exception {
        Path directory = temp.resolve("killed");
        Process child = KilledWriter.start(directory, engine, temp.resolve("err"));
        int acknowledged = 0;
        try (BufferedReader lines = child.inputReader()) {
            while (acknowledged < 200) {
                String line = lines.readLine();
                assertThat(line).as(() -> read(temp.resolve("err"))).matches("\\d+");
                acknowledged = Integer.parseInt(line);
            }
            child.destroyForcibly();
        }
        child.waitFor();
        try (SortedStore store = open(directory, engine)) {
            for (int i = 1; i <= acknowledged; i++) {
                assertThat(store.get(KilledWriter.key(i))).as("entry %d", i).isPresent();
            }
        }
    }

    /** A power loss leaves each sector of the log's bytes since the last sync or not, and the file may end anywhere. */
    @ParameterizedTest
    @EnumSource(SortedStoreOptions.Engine.class)
    void everythingSyncedSurvivesAPowerLossThatTearsTheLog(SortedStoreOptions.Engine engine) throws IOException {
        long seed = Seed.value();
        Random random = new Random(seed);
        Map<String, byte[]> synced;
        Map<String, byte[]> last;
        int batches = 40;
        int lastSynced = 20;
        Path directory = temp.resolve("s");
        try (SortedStore store = open(directory, engine)) {
            write(store, 0, lastSynced, SortedStore.Sync.FSYNC, random);
            synced = files(directory);
            write(store, lastSynced, batches, SortedStore.Sync.NONE, random);
            last = files(directory);
        }
        for (int i = 0; i < 40; i++) {
            String context = "seed %d image %d".formatted(seed, i);
            Path image = temp.resolve("image" + i);
            for (Map.Entry<String, byte[]> file : last.entrySet()) {
                Path path = image.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                byte[] before = synced.getOrDefault(file.getKey(), new byte[0]);
                Files.write(path, torn(before, file.getValue(), i, random));
            }
            // The machine was restarted since.
            Files.delete(image.resolve("BOOT"));
            try (SortedStore store = open(image, engine)) {
                int kept = 0;
                while (kept < batches && store.get(KilledWriter.key(kept)).isPresent()) {
                    kept++;
                }
                assertThat(kept).as(context).isGreaterThanOrEqualTo(lastSynced);
                for (int later = kept; later < batches; later++) {
                    assertThat(store.get(KilledWriter.key(later)).isPresent())
                            .as("%s: batch %d is there, and the one before it is not", context, later)
                            .isFalse();
                }
                store.write(new WriteBatch().put(KilledWriter.key(batches), new byte[9]), SortedStore.Sync.FSYNC);
            }
            try (SortedStore store = open(image, engine)) {
                assertThat(store.get(KilledWriter.key(batches))).as(context).isPresent();
            }
        }
    }

    /** A kill in the middle of a write leaves this. */
    @ParameterizedTest
    @EnumSource(SortedStoreOptions.Engine.class)
    void halfABatchAtTheEndOfTheLogIsDropped(SortedStoreOptions.Engine engine) throws IOException {
        Path log = fillLog(engine, 3, 40_000);
        byte[] bytes = Files.readAllBytes(log);
        Files.write(log, Arrays.copyOf(bytes, bytes.length - 10_000));
        try (SortedStore store = open(temp.resolve("s"), engine)) {
            assertThat(store.get(KilledWriter.key(1))).isPresent();
            assertThat(store.get(KilledWriter.key(2))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(SortedStoreOptions.Engine.class)
    void damageBeforeSoundBatchesIsRefusedUnlessTheMachineWasStartedSince(SortedStoreOptions.Engine engine)
            throws IOException {
        Path log = fillLog(engine, 3, 40_000);
        byte[] bytes = Files.readAllBytes(log);
        bytes[50_000] ^= 1;
        Files.write(log, bytes);
        assertRefusedUnlessTheMachineWasStartedSince(engine);
    }

    /** Engines take a header of zeros for unused room, and go on with the next block. */
    @ParameterizedTest
    @EnumSource(SortedStoreOptions.Engine.class)
    void aSectorOfZerosBeforeSoundBatchesIsDamageToo(SortedStoreOptions.Engine engine) throws IOException {
        // Every batch is one record that fills one block: headers, key and the lengths take the rest.
        int value = BLOCK - 7 - 12 - 1 - 1 - KilledWriter.key(0).length - 3;
        Path log = fillLog(engine, 3, value);
        byte[] bytes = Files.readAllBytes(log);
        assertThat(bytes).hasSize(3 * BLOCK);
        Arrays.fill(bytes, BLOCK, BLOCK + SECTOR, (byte) 0);
        Files.write(log, bytes);
        assertRefusedUnlessTheMachineWasStartedSince(engine);
    }

    private void assertRefusedUnlessTheMachineWasStartedSince(SortedStoreOptions.Engine engine) throws IOException {
        Path directory = temp.resolve("s");
        assertThatThrownBy(() -> open(directory, engine).close())
                .isInstanceOf(DamagedStoreException.class)
                .hasMessageContaining("restore or remove the directory");
        Files.writeString(directory.resolve("BOOT"), "another");
        try (SortedStore store = open(directory, engine)) {
            assertThat(store.get(KilledWriter.key(0))).isPresent();
            assertThat(store.get(KilledWriter.key(1))).isEmpty();
            assertThat(store.get(KilledWriter.key(2))).isEmpty();
        }
    }

    /** Writes batches to the store {@code s} and closes it; returns its log, which has them all. */
    private Path fillLog(SortedStoreOptions.Engine engine, int batches, int valueBytes) throws IOException {
        Path directory = temp.resolve("s");
        byte[] value = new byte[valueBytes];
        Arrays.fill(value, (byte) 7);
        try (SortedStore store = open(directory, engine)) {
            for (int i = 0; i < batches; i++) {
                store.write(new WriteBatch().put(KilledWriter.key(i), value), SortedStore.Sync.NONE);
            }
        }
        try (Stream<Path> files = Files.list(directory.resolve("data"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static SortedStore open(Path directory, SortedStoreOptions.Engine engine) throws IOException {
        return SortedStores.open(directory, SortedStoreContract.config(engine, 0));
    }

    private static void write(SortedStore store, int from, int to, SortedStore.Sync sync, Random random)
            throws IOException {
        for (int i = from; i < to; i++) {
            byte[] value = new byte[random.nextInt(3_000)];
            random.nextBytes(value);
            store.write(new WriteBatch().put(KilledWriter.key(i), value), sync);
        }
    }

    private static Map<String, byte[]> files(Path directory) throws IOException {
        Map<String, byte[]> found = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(directory)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                found.put(directory.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return found;
    }

    private static byte[] torn(byte[] synced, byte[] last, int image, Random random) {
        int same = Arrays.mismatch(synced, last);
        if (same < 0) {
            return last;
        }
        byte[] torn = last.clone();
        if (image % 2 == 0) {
            for (int at = same; at < torn.length; ) {
                int end = Math.min(torn.length, at + 512 - at % 512);
                if (random.nextBoolean()) {
                    Arrays.fill(torn, at, end, (byte) 0);
                }
                at = end;
            }
        }
        return image % 3 == 0 ? torn : Arrays.copyOf(torn, same + random.nextInt(torn.length - same + 1));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
