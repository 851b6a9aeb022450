// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.packing.seed.Seed;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of every engine. */
abstract class SortedStoreContract {
    @TempDir
    Path temp;

    abstract SortedStoreOptions.Engine engine();

    @Test
    void keysAreOrderedAsUnsignedBytes() throws IOException {
        try (SortedStore store = open("s")) {
            WriteBatch batch = new WriteBatch();
            byte[][] keys = {{(byte) 0xff}, {0}, {}, {0x7f}, {(byte) 0x80, 1}, {(byte) 0x80}};
            for (byte[] key : keys) {
                batch.put(key, key);
            }
            store.write(batch, SortedStore.Sync.NONE);
            assertThat(keys(store, new byte[0], new byte[0])).containsExactly("", "0", "7f", "80", "801", "ff");
            assertThat(keys(store, new byte[] {0x7f}, new byte[] {(byte) 0x80, 1}))
                    .containsExactly("7f", "80");
        }
    }

    @Test
    void laterChangesOfABatchWin() throws IOException {
        try (SortedStore store = open("s")) {
            byte[] key = {1};
            store.write(new WriteBatch().put(key, new byte[] {1}).delete(key), SortedStore.Sync.NONE);
            assertThat(store.get(key)).isEmpty();
            store.write(new WriteBatch().delete(key).put(key, new byte[0]), SortedStore.Sync.FSYNC);
            assertThat(store.get(key))
                    .hasValueSatisfying(value -> assertThat(value).isEmpty());
        }
    }

    @Test
    void cursorSeesTheStoreAsItWasWhenItWasOpened() throws IOException {
        try (SortedStore store = open("s")) {
            store.write(new WriteBatch().put(new byte[] {1}, new byte[] {1}), SortedStore.Sync.NONE);
            try (Cursor cursor = store.scan(new byte[0], new byte[0])) {
                store.write(
                        new WriteBatch().put(new byte[] {1}, new byte[] {2}).put(new byte[] {2}, new byte[] {2}),
                        SortedStore.Sync.NONE);
                assertThat(cursor.next()).isTrue();
                assertThat(cursor.value()).containsExactly(1);
                assertThat(cursor.next()).isFalse();
            }
        }
    }

    @Test
    void seededWorkloadEqualsATreeMapOverReopens() throws IOException {
        long seed = Seed.value();
        Random random = new Random(seed);
        TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
        for (int round = 0; round < 6; round++) {
            try (SortedStore store = open("s")) {
                for (int i = 0; i < 200; i++) {
                    WriteBatch batch = new WriteBatch();
                    for (int j = random.nextInt(20); j >= 0; j--) {
                        byte[] key = new byte[random.nextInt(4)];
                        random.nextBytes(key);
                        if (random.nextInt(3) == 0) {
                            batch.delete(key);
                            model.remove(key);
                        } else {
                            byte[] value = new byte[random.nextInt(2_000)];
                            random.nextBytes(value);
                            batch.put(key, value);
                            model.put(key, value);
                        }
                    }
                    store.write(batch, SortedStore.Sync.NONE);
                }
                try (Cursor cursor = store.scan(new byte[0], new byte[0])) {
                    for (Map.Entry<byte[], byte[]> entry : model.entrySet()) {
                        assertThat(cursor.next()).as("seed %d", seed).isTrue();
                        assertThat(cursor.key()).as("seed %d", seed).isEqualTo(entry.getKey());
                        assertThat(cursor.value()).as("seed %d", seed).isEqualTo(entry.getValue());
                    }
                    assertThat(cursor.next()).as("seed %d", seed).isFalse();
                }
            }
        }
    }

    @Test
    void aScanOverADamagedTableFailsAndNeverEndsEarly() throws IOException {
        int entries = 20_000;
        try (SortedStore store = open("s")) {
            for (int i = 0; i < entries; i += 100) {
                WriteBatch batch = new WriteBatch();
                for (int j = i; j < i + 100; j++) {
                    batch.put(ByteBuffer.allocate(4).putInt(j).array(), new byte[100 + j % 7]);
                }
                store.write(batch, SortedStore.Sync.NONE);
            }
        }
        damageTables(temp.resolve("s"));
        try (SortedStore store = open("s")) {
            int found = 0;
            boolean failed = false;
            try (Cursor cursor = store.scan(new byte[0], new byte[0])) {
                while (cursor.next()) {
                    found++;
                }
            } catch (UncheckedIOException | IOException e) {
                failed = true;
                assertThat(e.toString()).contains("damaged");
            }
            assertThat(failed).as("%d of %d entries were found", found, entries).isTrue();
        } catch (DamagedStoreException e) {
            // A stricter engine reports the damage when it opens.
            assertThat(e).hasMessageContaining("damaged");
        }
    }

    /** Flips bytes in the first half of each table, where the entries are. */
    private static void damageTables(Path directory) throws IOException {
        int damaged = 0;
        try (Stream<Path> walk = Files.walk(directory)) {
            for (Path path : walk.filter(file -> file.toString().matches(".*\\.(sst|ldb)"))
                    .toList()) {
                byte[] bytes = Files.readAllBytes(path);
                for (int at = 100; at < bytes.length / 2; at += 500) {
                    bytes[at] ^= 0x55;
                }
                Files.write(path, bytes);
                damaged++;
            }
        }
        assertThat(damaged).isPositive();
    }

    @Test
    void theEngineIsMarkedWholeOrNotAtAll() throws IOException {
        Path directory = Files.createDirectory(temp.resolve("s"));
        // A crash may leave this of the marker before its name is set.
        Files.writeString(directory.resolve("ENGINE.new"), "lev");
        open("s").close();
        open("s").close();
        assertThat(Files.readString(directory.resolve("ENGINE")))
                .isEqualTo(engine().name().toLowerCase(Locale.ROOT));
        assertThat(directory.resolve("ENGINE.new")).doesNotExist();
    }

    @Test
    void secondOpenerIsRefusedByName() throws IOException {
        try (SortedStore store = open("s")) {
            assertThat(store.get(new byte[] {1})).isEmpty();
            assertThatIOException().isThrownBy(() -> open("s")).withMessageContaining("in use");
        }
        open("s").close();
    }

    @Test
    void refusedOpenerInThisProcessDoesNotUnlockTheDirectoryForOthers() throws Exception {
        try (SortedStore store = open("s")) {
            assertThat(store.get(new byte[] {1})).isEmpty();
            assertThatIOException().isThrownBy(() -> open("s"));
            Process child = KilledWriter.start(temp.resolve("s"), engine(), temp.resolve("err"));
            try (BufferedReader lines = child.inputReader()) {
                assertThat(lines.readLine()).isNull();
            } finally {
                child.destroyForcibly();
            }
            assertThat(temp.resolve("err")).content().contains("is in use by another process");
        }
    }

    @Test
    void cursorStaysAtItsEnd() throws IOException {
        try (SortedStore store = open("s");
                Cursor cursor = store.scan(new byte[0], new byte[0])) {
            for (int i = 0; i < 3; i++) {
                assertThat(cursor.next()).isFalse();
            }
        }
    }

    @Test
    void otherEnginesDirectoryIsRefused() throws IOException {
        open("s").close();
        SortedStoreOptions.Engine other = engine() == SortedStoreOptions.Engine.LEVELDB
                ? SortedStoreOptions.Engine.ROCKSDB
                : SortedStoreOptions.Engine.LEVELDB;
        assertThatIOException()
                .isThrownBy(() -> SortedStores.open(temp.resolve("s"), config(other, 0)))
                .withMessageContaining("configure that engine");
    }

    @Test
    void useAfterCloseIsAnErrorNotACrash() throws IOException {
        SortedStore store = open("s");
        store.write(new WriteBatch().put(new byte[] {1}, new byte[] {1}), SortedStore.Sync.NONE);
        Cursor cursor = store.scan(new byte[0], new byte[0]);
        assertThat(cursor.next()).isTrue();
        store.close();
        store.close();
        assertThatIllegalStateException().isThrownBy(() -> store.get(new byte[] {1}));
        assertThatIllegalStateException().isThrownBy(cursor::next);
        assertThatIllegalStateException().isThrownBy(cursor::key);
        cursor.close();
    }

    SortedStore open(String name) throws IOException {
        return SortedStores.open(temp.resolve(name), config(engine(), 0));
    }

    static SortedStoreOptions config(SortedStoreOptions.Engine engine, long minFree) {
        return new SortedStoreOptions(engine, 4 << 20, 256 << 10, minFree);
    }

    private static List<String> keys(SortedStore store, byte[] from, byte[] to) throws IOException {
        List<String> keys = new ArrayList<>();
        try (Cursor cursor = store.scan(from, to)) {
            while (cursor.next()) {
                StringBuilder hex = new StringBuilder();
                for (byte b : cursor.key()) {
                    hex.append(Integer.toHexString(b & 0xff));
                }
                keys.add(hex.toString());
            }
        }
        return keys;
    }
}
