// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.cloud.LeaseOptions;
import io.packing.bdt.master.table.Clocks;
import io.packing.blob.FilePath;
import io.packing.seed.GivenClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mount is neither made nor opened in a store that ignores conditions of PUTs. */
class StoreConditionsTest {
    private static final FilePath MINE = new FilePath("/mine");

    @TempDir
    private Path machines;

    private final TestStores stores = new TestStores();
    private final AtomicLong nanos = new AtomicLong(1);

    private BdtMaster start(String machine, boolean takeOver) throws IOException {
        BdtMasterOptions options = TestStores.config(machines.resolve(machine))
                .leasing(new LeaseOptions(Duration.ofSeconds(45), takeOver, Duration.ofSeconds(10), machine + ":1"));
        Clocks clocks = new Clocks(
                new GivenClock(() -> Instant.ofEpochSecond(1_700_000_000).plusNanos(nanos.get())), nanos::get);
        return BdtMaster.start(options, MasterSite.of(options, stores, clocks));
    }

    private static void mkdir(Bdt table) throws IOException {
        assertThat(table.mkdir(MINE, new DirectoryAttributes("u", "g", 0755), false))
                .isEqualTo(Outcome.DONE);
    }

    private Map<String, ByteBuffer> objects() {
        return stores.objects.copy().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, object -> ByteBuffer.wrap(object.getValue())));
    }

    private static void assertRefused(BdtMaster master, String... words) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> master.open(TestStores.MOUNT))
                .satisfies(refused -> assertThat(refused.getMessage())
                        .contains("file:///test", "the store ignores the condition of a PUT (If-None-Match: *)")
                        .contains(words));
    }

    @Test
    void noMountIsMadeAndNothingIsLeftInTheStore() throws IOException {
        stores.objects.ignoreConditions(true);
        try (BdtMaster master = start("one", true)) {
            assertRefused(master, "no mount is made at", "Take another store");
            assertThat(stores.objects.copy()).isEmpty();
            assertRefused(master, "no mount is made at");
            stores.objects.ignoreConditions(false);
            mkdir(master.open(TestStores.MOUNT));
        }
    }

    @Test
    void aMountThatIsThereIsNotOpenedUntilTheOperatorSaysThatNoOtherMasterRuns() throws IOException {
        try (BdtMaster master = start("one", false)) {
            mkdir(master.open(TestStores.MOUNT));
        }
        stores.objects.ignoreConditions(true);
        Map<String, ByteBuffer> before = objects();
        try (BdtMaster again = start("one", false)) {
            assertRefused(again, "is not opened", "--take-over");
        }
        try (BdtMaster other = start("two", false)) {
            assertRefused(other, "is not opened", "--take-over");
        }
        assertThat(objects()).isEqualTo(before);
        try (BdtMaster told = start("one", true)) {
            assertThat(told.open(TestStores.MOUNT).stat(MINE)).isPresent();
        }
    }

    @Test
    void theStoreIsAskedOnceByEachProcess() throws IOException {
        try (BdtMaster master = start("one", false)) {
            mkdir(master.open(TestStores.MOUNT));
        }
        try (BdtMaster again = start("one", false)) {
            Bdt table = again.open(TestStores.MOUNT);
            stores.objects.ignoreConditions(true);
            assertThat(again.open(TestStores.MOUNT).stat(MINE)).isPresent();
            assertThat(table.stat(MINE)).isPresent();
        }
    }
}
