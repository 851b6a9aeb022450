// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.CopyReport;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.upkeep.Compactor;
import io.packing.bdt.master.upkeep.CopyOrders;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Extent;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker copies live bytes as the master orders, and what it says beyond its order is not believed. */
class WorkerCopiesTest extends MountFixture {
    private final AtomicLong now = new AtomicLong();
    private final CopyOrders orders = new CopyOrders(now::get);
    private ModelCopier copier;
    private Compactor compactor;

    @BeforeEach
    void sparseBlob() throws IOException {
        copier = new ModelCopier("c", stores.objects, work);
        Mount mount = master.openMount(TestStores.MOUNT);
        compactor = new Compactor(
                new MountStorage("test", mount.table(), stores.objects, work),
                mount.upkeep().uploader(),
                new Compactor.CompactionOptions(Duration.ofMinutes(10), 0.5, 1 << 20, 1, 1, TestPrices.FREE_REQUESTS),
                orders,
                new Clocks(Clock.systemUTC(), now::get));
        for (int i = 0; i < 40; i++) {
            claim("/d/f%02d".formatted(i));
        }
        push(true);
        for (int i = 9; i < 40; i++) {
            assertThat(table.delete(new FilePath("/d/f%02d".formatted(i)), false))
                    .isEqualTo(Outcome.DONE);
        }
    }

    /** Lets passes be due until the compactor has done something, or has an order for a worker. */
    private void pass() throws IOException {
        for (int i = 0; i < 3; i++) {
            now.addAndGet(Duration.ofMinutes(11).toNanos());
            copier.beat(orders);
            while (compactor.step()) {
                copier.beat(orders);
            }
        }
    }

    /** Carries an order out up to the report of the push, which may be another one. */
    private void carryOut(UnaryOperator<CopyReport> told) throws IOException {
        pass();
        copier.beat(orders);
        assertThat(copier.order()).isPresent();
        copier.work();
        copier.beat(orders);
        assertThat(compactor.step()).as("a row for the new blob").isTrue();
        copier.beat(orders);
        copier.work();
        assertThat(copier.report().state()).isEqualTo(CopyReport.State.PUSHED);
        copier.tell(told.apply(copier.report()));
        copier.beat(orders);
        assertThat(compactor.step()).isTrue();
    }

    private Map<String, List<BlobExtent>> places() throws IOException {
        Map<String, List<BlobExtent>> places = new TreeMap<>();
        for (FileStatus each : names().values()) {
            if (!each.isDirectory()) {
                places.put(
                        each.path().value(),
                        ((Placement.Packed)
                                        table.locate(each.path()).orElseThrow().placement())
                                .extents());
            }
        }
        return places;
    }

    private static boolean isCompacted(BlobExtent extent) {
        return extent.blob().worker().equals("compacted");
    }

    private List<BlobExtent> extents() throws IOException {
        return places().values().stream().flatMap(List::stream).toList();
    }

    @Test
    void aWorkerMovesTheBytesAndTheMasterReadsAFooterOnly() throws IOException {
        carryOut(report -> report);
        assertThat(extents()).isNotEmpty().allMatch(WorkerCopiesTest::isCompacted);
        copier.beat(orders);
        assertThat(copier.order()).as("the order has ended").isEmpty();
    }

    @Test
    void aFileThatChangesMeanwhileStaysAsItIs() throws IOException {
        carryOut(report -> {
            try {
                assertThat(table.delete(new FilePath("/d/f00"), false)).isEqualTo(Outcome.DONE);
                assertThat(table.rename(new FilePath("/d/f01"), new FilePath("/d/other")))
                        .isEqualTo(Outcome.DONE);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            return report;
        });
        assertThat(places()).doesNotContainKey("/d/f00").containsKey("/d/other");
        assertThat(extents()).allMatch(WorkerCopiesTest::isCompacted);
    }

    @Test
    void copiesThatTheOrderDoesNotAskForAreNotBelieved() throws IOException {
        nothingMoves(extent -> copy(extent, extent.blobOffset(), extent.crc32c() + 1));
    }

    @Test
    void copiesThatShareBytesAreNotBelieved() throws IOException {
        nothingMoves(extent -> copy(extent, 100, extent.crc32c()));
    }

    @Test
    void copiesBehindTheBodyAreNotBelieved() throws IOException {
        nothingMoves(extent -> copy(extent, 1 << 20, extent.crc32c()));
    }

    private void nothingMoves(UnaryOperator<Extent> lie) throws IOException {
        Map<String, List<BlobExtent>> before = places();
        carryOut(report -> changed(report, lie));
        assertThat(places()).isEqualTo(before);
        copier.beat(orders);
        assertThat(copier.order()).isEmpty();
    }

    private static Extent copy(Extent of, long blobOffset, int crc32c) {
        return new Extent(of.fileOffset(), of.length(), blobOffset, of.storedLength(), of.codec(), crc32c);
    }

    @Test
    void aBlobThatIsNotInTheStoreIsNotCommitted() throws IOException {
        Map<String, List<BlobExtent>> before = places();
        carryOut(report -> {
            stores.objects.become(without(stores.objects.copy()));
            return report;
        });
        assertThat(places()).isEqualTo(before);
    }

    @Test
    void aBlobOfAnotherNameGetsNoRow() throws IOException {
        pass();
        copier.beat(orders);
        copier.work();
        BlobName name = copier.report().blob().orElseThrow().name();
        PushedBlob other = new PushedBlob(new BlobName("w", name.footerOffset(), name.timestampMicros()), 1 << 20);
        copier.tell(
                new CopyReport(copier.report().number(), CopyReport.State.BUILT, Optional.of(other), List.of(), ""));
        copier.beat(orders);
        long blobs = table.statistics().blobs();
        assertThat(compactor.step()).isTrue();
        awaitStatistics();
        assertThat(table.statistics().blobs()).isEqualTo(blobs);
        copier.beat(orders);
        assertThat(copier.order()).isEmpty();
    }

    @Test
    void theMasterCopiesByItselfWhenNoWorkerIsAlive() throws IOException {
        pass();
        copier.beat(orders);
        assertThat(copier.order()).isPresent();
        now.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThat(compactor.step()).as("the order ends").isTrue();
        for (int i = 0; i < 3; i++) {
            now.addAndGet(Duration.ofMinutes(11).toNanos());
            while (compactor.step()) {
                assertThat(extents()).isNotEmpty();
            }
        }
        assertThat(extents()).allMatch(WorkerCopiesTest::isCompacted);
        // What the silent worker does now is its own affair.
        copier.work();
        copier.beat(orders);
        assertThat(copier.order()).isEmpty();
    }

    private static Map<String, byte[]> without(Map<String, byte[]> objects) {
        Map<String, byte[]> others = new TreeMap<>(objects);
        others.keySet().removeIf(key -> key.contains("compacted"));
        return others;
    }

    private static CopyReport changed(CopyReport report, UnaryOperator<Extent> change) {
        List<CommittedFile> files = new ArrayList<>();
        for (CommittedFile file : report.files()) {
            files.add(new CommittedFile(
                    file.version(),
                    file.extents().stream()
                            .map(each -> new BlobExtent(each.blob(), change.apply(each.extent())))
                            .toList()));
        }
        return new CopyReport(report.number(), report.state(), report.blob(), files, "");
    }
}
