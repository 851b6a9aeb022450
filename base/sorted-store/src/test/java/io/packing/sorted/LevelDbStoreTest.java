package io.packing.sorted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LevelDbStoreTest extends SortedStoreContract {
    @Override
    SortedStoreConfig.Engine engine() {
        return SortedStoreConfig.Engine.LEVELDB;
    }

    /** What a kill in the middle of a write leaves. */
    @Test
    void halfABatchAtTheEndOfTheLogIsDropped() throws IOException {
        filled(3);
        byte[] log = Files.readAllBytes(log());
        Files.write(log(), Arrays.copyOf(log, log.length - 10_000));
        try (SortedStore store = open("s")) {
            assertThat(store.get(KilledWriter.key(1))).isPresent();
            assertThat(store.get(KilledWriter.key(2))).isEmpty();
        }
    }

    @Test
    void damageBeforeSoundBatchesIsRefusedUnlessTheMachineWasStartedSince() throws IOException {
        filled(3);
        byte[] log = Files.readAllBytes(log());
        log[50_000] ^= 1;
        Files.write(log(), log);
        assertThatThrownBy(() -> open("s")).isInstanceOf(DamagedStoreException.class);
        Files.writeString(temp.resolve("s/BOOT"), "another");
        try (SortedStore store = open("s")) {
            assertThat(store.get(KilledWriter.key(0))).isPresent();
            assertThat(store.get(KilledWriter.key(1))).isEmpty();
            assertThat(store.get(KilledWriter.key(2))).isEmpty();
        }
    }

    private void filled(int batches) throws IOException {
        try (SortedStore store = open("s")) {
            for (int i = 0; i < batches; i++) {
                store.write(new WriteBatch().put(KilledWriter.key(i), new byte[40_000]), SortedStore.Sync.NONE);
            }
        }
    }

    private Path log() throws IOException {
        try (Stream<Path> files = Files.list(temp.resolve("s/data"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
