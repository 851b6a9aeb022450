// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.UnavailableException;
import io.packing.blob.FilePath;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.store.ObjectStore;
import io.packing.store.StoreAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A stop ends although a store does not, says what the store lacks, and loses nothing. */
@Timeout(60)
class BoundedStopTest {
    private static final FilePath PATH = new FilePath("/d");

    @TempDir
    private Path data;

    private final TestStores real = new TestStores();
    private StuckObjects objects = new StuckObjects(real.objects);

    private BdtMaster start() throws IOException {
        objects = new StuckObjects(real.objects);
        return BdtMaster.start(TestStores.config(data).stoppingIn(Duration.ofSeconds(1)), new Stores() {
            @Override
            public SortedStore sorted(Path directory, SortedStoreOptions config) throws IOException {
                return real.sorted(directory, config);
            }

            @Override
            public StoreAddress address(Map<String, String> options) {
                return real.address(options);
            }

            @Override
            public ObjectStore objects(Map<String, String> options) {
                return objects;
            }
        });
    }

    private static void mkdir(Bdt table) throws IOException {
        assertThat(table.mkdir(PATH, new DirectoryAttributes("u", "g", 0755), false))
                .isEqualTo(Outcome.DONE);
    }

    @ParameterizedTest
    @EnumSource
    void aStoreThatDoesNotAnswerHoldsNoStopUp(StuckObjects.How how) throws IOException {
        BdtMaster master = start();
        mkdir(master.open(TestStores.MOUNT));
        objects.stick(how);
        master.close();
        assertThat(master.left())
                .singleElement()
                .asString()
                .contains("stops without a last backup", data.toString(), "the store lacks 1 changes since position 0");
        BdtMaster next = start();
        assertThat(next.open(TestStores.MOUNT).stat(PATH)).isPresent();
        next.close();
        assertThat(next.left()).isEmpty();
        assertThat(real.objects.keys("bdt/backup-")).hasSize(1);
    }

    @Test
    void backgroundWorkThatWaitsForTheStoreIsBrokenOff() throws Exception {
        BdtMaster master = start();
        Mount mount = master.openMount(TestStores.MOUNT);
        mkdir(new LocalBdt(mount));
        objects.stick(StuckObjects.How.UNTIL_CLOSED);
        CompletableFuture<Void> upload = CompletableFuture.runAsync(() -> {
            try {
                mount.checkpoint();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        objects.awaitCaller();
        master.close();
        assertThat(master.left()).hasSize(1);
        assertThatThrownBy(upload::join).hasMessageContaining("closed");
    }

    @Test
    void aMountThatIsBeingOpenedDoesNotHoldAStopUp() throws Exception {
        BdtMaster master = start();
        objects.stick(StuckObjects.How.UNTIL_INTERRUPTED);
        CompletableFuture<Bdt> opening = CompletableFuture.supplyAsync(() -> {
            try {
                return master.open(TestStores.MOUNT);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        objects.awaitCaller();
        master.close();
        assertThatThrownBy(opening::join).hasMessageContaining("interrupted");
        assertThatThrownBy(() -> master.open(TestStores.MOUNT)).isInstanceOf(UnavailableException.class);
        start().close();
    }

    @Test
    void closingTwiceIsClosingOnce() throws Exception {
        BdtMaster master = start();
        mkdir(master.open(TestStores.MOUNT));
        CompletableFuture<Void> other = CompletableFuture.runAsync(master::close);
        master.close();
        other.join();
        assertThat(real.objects.keys("bdt/backup-")).hasSize(1);
        start().close();
    }
}
