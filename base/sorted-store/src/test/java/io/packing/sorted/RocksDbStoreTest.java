// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RocksDbStoreTest extends SortedStoreContract {
    private static final int VALUE_BYTES = 1_000;

    @Override
    SortedStoreOptions.Engine engine() {
        return SortedStoreOptions.Engine.ROCKSDB;
    }

    /** A power loss may leave this when RocksDB had begun its next log, and neither was synced. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLaterLogIsReadOnlyIfNothingBeforeItIsMissing(boolean torn) throws IOException {
        write("s", 0, 3);
        write("later", 0, 3);
        write("later", 3, 6);
        Path first = log("s");
        Path second = log("later");
        assertThat(second.getFileName().toString())
                .isGreaterThan(first.getFileName().toString());
        Files.copy(second, first.resolveSibling(second.getFileName()));
        if (torn) {
            byte[] bytes = Files.readAllBytes(first);
            Arrays.fill(bytes, bytes.length - VALUE_BYTES, bytes.length, (byte) 0);
            Files.write(first, bytes);
        }
        Files.delete(temp.resolve("s/BOOT"));
        try (SortedStore store = open("s")) {
            int kept = torn ? 2 : 6;
            for (int i = 0; i < 6; i++) {
                assertThat(store.get(KilledWriter.key(i)).isPresent())
                        .as("batch %d", i)
                        .isEqualTo(i < kept);
            }
        }
    }

    private void write(String name, int from, int to) throws IOException {
        byte[] value = new byte[VALUE_BYTES];
        Arrays.fill(value, (byte) 7);
        try (SortedStore store = open(name)) {
            for (int i = from; i < to; i++) {
                store.write(new WriteBatch().put(KilledWriter.key(i), value), SortedStore.Sync.NONE);
            }
        }
    }

    private Path log(String name) throws IOException {
        try (Stream<Path> files = Files.list(temp.resolve(name + "/data"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
