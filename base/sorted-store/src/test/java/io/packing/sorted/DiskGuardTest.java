// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writes are refused in time on a disk whose free space the test sets. */
class DiskGuardTest {
    @TempDir
    private Path temp;

    @ParameterizedTest
    @EnumSource
    void fullDiskIsRefusedBeforeTheEngineMeetsIt(SortedStoreOptions.Engine engine) throws IOException {
        AtomicLong free = new AtomicLong(1L << 40);
        Path directory = temp.resolve("s");
        try (SortedStore store = SortedStores.open(directory, SortedStoreContract.config(engine, 1 << 20), free::get)) {
            store.write(new WriteBatch().put(new byte[] {1}, new byte[10]), SortedStore.Sync.NONE);
            free.set(2 << 20);
            WriteBatch big = new WriteBatch().put(new byte[] {2}, new byte[8 << 20]);
            assertThat(catchThrowable(() -> store.write(big, SortedStore.Sync.NONE)))
                    .isInstanceOf(DiskFullException.class)
                    .hasMessageContaining(directory.toString());
            assertThat(store.get(new byte[] {2})).isEmpty();
            free.set(1L << 40);
            awaitWrite(store, big);
            assertThat(store.get(new byte[] {2})).isPresent();
        }
    }

    /** Writes a batch until it is accepted: the background work may need a moment to resume. */
    private static void awaitWrite(SortedStore store, WriteBatch batch) throws IOException {
        boolean taken = false;
        while (!taken) {
            try {
                store.write(batch, SortedStore.Sync.NONE);
                taken = true;
            } catch (DiskFullException e) {
                Thread.onSpinWait();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDiskThatOthersFillIsLookedAtBeforeEveryWrite(SortedStoreOptions.Engine engine) throws IOException {
        AtomicLong free = new AtomicLong(1L << 40);
        try (SortedStore store =
                SortedStores.open(temp.resolve("s"), SortedStoreContract.config(engine, 1 << 20), free::get)) {
            store.write(new WriteBatch().put(new byte[] {1}, new byte[10]), SortedStore.Sync.NONE);
            free.set(1 << 20);
            WriteBatch small = new WriteBatch().put(new byte[] {2}, new byte[10]);
            assertThatThrownBy(() -> store.write(small, SortedStore.Sync.NONE))
                    .isInstanceOf(DiskFullException.class)
                    .hasMessageContaining(temp.resolve("s") + ": free some space");
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatTheEngineWritesInTheBackgroundIsKeptFreeHoweverLittleIsConfigured(SortedStoreOptions.Engine engine)
            throws IOException {
        SortedStoreOptions config = SortedStoreContract.config(engine, 1);
        AtomicLong free = new AtomicLong(1L << 40);
        try (SortedStore store = SortedStores.open(temp.resolve("s"), config, free::get)) {
            // The other half may be a reserve by now, which counts as free.
            free.set(config.backgroundBytes() / 2);
            WriteBatch small = new WriteBatch().put(new byte[] {2}, new byte[10]);
            assertThatThrownBy(() -> store.write(small, SortedStore.Sync.NONE)).isInstanceOf(DiskFullException.class);
        }
    }
}
