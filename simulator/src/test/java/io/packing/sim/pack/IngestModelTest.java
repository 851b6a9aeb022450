// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.packing.options.PriceTable;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class IngestModelTest {
    private static final PriceTable S3 = new PriceTable(0.005, 0.005, 0.0004, 0.0004, 1e9, 0.023, 0, 3_500);
    private static final BlobLayout NO_OVERHEAD = new BlobLayout(0, 0, 0);
    private static final double FAST = Double.POSITIVE_INFINITY;

    private static PackingSetup setup(long blobBytes, Duration after, int workers) {
        return new PackingSetup(
                blobBytes, after, workers, 10_000, 100e6, Duration.ofMinutes(10), 500_000, 0, 5L << 30, Duration.ZERO);
    }

    @Test
    void directIsOnePutPerFileAtTheStoresLimit() {
        IngestCost cost = new IngestModel(S3).direct(new FileWorkload(1_000_000, 8_192, FAST));
        assertThat(cost.puts()).isEqualTo(1_000_000);
        assertThat(cost.requestDollars()).isCloseTo(5.0, within(1e-9));
        assertThat(cost.seconds()).isCloseTo(1_000_000 / 3_500.0, within(1e-6));
    }

    @Test
    void aSlowWorkloadIsNotLimitedByTheStore() {
        assertThat(new IngestModel(S3).direct(new FileWorkload(1_000, 1, 10)).seconds())
                .isEqualTo(100);
    }

    @Test
    void blobsAreSealedBySizeWhenFilesArriveFastEnough() {
        // 10,000 files a second of 1,000 bytes: 10 MB/s; 1 MB fills in 0.1 s.
        IngestCost cost = new IngestModel(S3)
                .packed(
                        new FileWorkload(100_000, 1_000, FAST),
                        setup(1_000_000, Duration.ofSeconds(5), 1),
                        NO_OVERHEAD);
        assertThat(cost.puts() - cost.backupPuts()).isEqualTo(100);
        assertThat(cost.objectBytes()).isEqualTo(1_000_000);
        assertThat(cost.backupPuts()).isEqualTo(1);
    }

    @Test
    void blobsAreSealedByAgeWhenFilesArriveSlowly() {
        // 10 files a second, 5 s: 50 files a blob; 1,000 files make 20.
        IngestCost cost = new IngestModel(S3)
                .packed(new FileWorkload(1_000, 1_000, 10), setup(1 << 30, Duration.ofSeconds(5), 1), NO_OVERHEAD);
        assertThat(cost.puts() - cost.backupPuts()).isEqualTo(20);
        assertThat(cost.seconds()).isBetween(100.0, 106.0);
    }

    @Test
    void moreWorkersSealMoreBlobsByAge() {
        IngestCost cost = new IngestModel(S3)
                .packed(new FileWorkload(1_000, 1_000, 10), setup(1 << 30, Duration.ofSeconds(5), 10), NO_OVERHEAD);
        // One file a second and worker: 5 a blob, 100 files a worker.
        assertThat(cost.puts() - cost.backupPuts()).isEqualTo(200);
    }

    @Test
    void aBlobLargerThanOnePutIsSentInParts() {
        PackingSetup parts = new PackingSetup(
                10_000,
                Duration.ofSeconds(5),
                1,
                10_000,
                100e6,
                Duration.ofMinutes(10),
                500_000,
                0,
                4_000,
                Duration.ZERO);
        IngestCost cost = new IngestModel(S3).packed(new FileWorkload(100, 1_000, FAST), parts, NO_OVERHEAD);
        // Ten blobs of three parts, a start and a completion.
        assertThat(cost.puts() - cost.backupPuts()).isEqualTo(50);
    }

    @Test
    void aFullBlobIsSentWhileItFillsAndOneThatEndsEarlyIsNot() {
        PackingSetup ahead = new PackingSetup(
                10_000_000,
                Duration.ofMinutes(15),
                1,
                10_000,
                10e6,
                Duration.ofMinutes(10),
                500_000,
                0,
                5L << 30,
                Duration.ofMinutes(1));
        IngestModel model = new IngestModel(S3);
        // The worker takes 10 MB a second, as its link does: the last second's push is all but a sixteenth beside it.
        IngestCost full = model.packed(new FileWorkload(30_000, 1_000, FAST), ahead, NO_OVERHEAD);
        assertThat(full.seconds()).isCloseTo(3 + 1 / 16.0, within(1e-6));
        assertThat(full.puts() - full.backupPuts()).isEqualTo(3);
        IngestCost early = model.packed(new FileWorkload(25_000, 1_000, FAST), ahead, NO_OVERHEAD);
        assertThat(early.seconds()).isCloseTo(2.5 + 1, within(1e-6));
        // At 100 files a second a blob takes 100 s, longer than a push may begin before its end.
        IngestCost slow = model.packed(new FileWorkload(30_000, 1_000, 100), ahead, NO_OVERHEAD);
        assertThat(slow.seconds()).isCloseTo(300 + 1, within(1e-6));
    }

    @Test
    void backupsOfALargeTableAreCountedInParts() {
        PackingSetup setup = PackingSetup.standard();
        FileWorkload huge = new FileWorkload(10_000_000_000L, 8_192, FAST);
        IngestCost cost = new IngestModel(S3).packed(huge, setup, NO_OVERHEAD);
        double hours = cost.seconds() / 3_600;
        assertThat(hours).isBetween(180.0, 190.0);
        assertThat(cost.backupPuts()).isGreaterThan(hours * 6);
    }

    @Test
    void theRealLayoutAddsALittle() throws IOException {
        BlobLayout layout = BlobLayout.measure(8_192);
        assertThat(layout.footerPerFile()).isBetween(5.0, 60.0);
        assertThat(layout.stored(8_192)).isBetween(8_192 * 1.005, 8_192 * 1.03);
        assertThat(layout.fixed()).isBetween(0.0, 2_000.0);
    }

    @Test
    void emptyFilesHaveALayoutToo() throws IOException {
        assertThat(BlobLayout.measure(0).stored(0)).isPositive();
    }

    @Test
    void theRecommendationIsTheYoungestOfTheCheapest() {
        Estimate estimate =
                Estimate.of(new FileWorkload(100_000_000, 8_192, 1_000), S3, PackingSetup.standard(), NO_OVERHEAD);
        double cheapest = estimate.packed().stream()
                .mapToDouble(row -> row.cost().dollars())
                .min()
                .orElseThrow();
        assertThat(estimate.recommended().cost().dollars()).isLessThanOrEqualTo(cheapest * 1.01);
        assertThat(estimate.packed())
                .filteredOn(
                        row -> row.sealAfter().compareTo(estimate.recommended().sealAfter()) < 0)
                .allMatch(row -> row.cost().dollars() > cheapest * 1.01);
        assertThat(estimate.direct().dollars())
                .isGreaterThan(estimate.recommended().cost().dollars());
    }

    @Test
    void sealsThatMakeTheSameBlobsAreOneRow() {
        Estimate estimate =
                Estimate.of(new FileWorkload(1_000_000, 8_192, 100), S3, PackingSetup.standard(), NO_OVERHEAD);
        assertThat(estimate.alike()).hasSizeLessThan(estimate.packed().size());
        assertThat(estimate.alike())
                .allMatch(each -> each.least().cost().equals(each.most().cost()));
        assertThat(estimate.alike().stream().map(each -> each.least().cost())).doesNotHaveDuplicates();
        assertThat(estimate.alike())
                .filteredOn(each -> each.has(estimate.recommended()))
                .hasSize(1);
        assertThat(estimate.reason()).contains("a shorter age costs ").endsWith("saves less than 1 %.");
    }

    @Test
    void nobodyWaitsForMoreThanComes() {
        PackingSetup setup = PackingSetup.standard().sealing(1L << 30, Duration.ofMinutes(15));
        IngestCost cost = new IngestModel(S3).packed(new FileWorkload(1_000, 1_000, 100), setup, NO_OVERHEAD);
        assertThat(cost.seconds()).isBetween(15.0, 15.1);
    }

    @Test
    void impossibleParametersAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new FileWorkload(0, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new FileWorkload(1, -1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new FileWorkload(1, 1, Double.NaN));
        assertThatIllegalArgumentException().isThrownBy(() -> setup(0, Duration.ofSeconds(1), 1));
        assertThatIllegalArgumentException().isThrownBy(() -> setup(1, Duration.ZERO, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new PriceTable(-1, 0, 0, 0, 1, 0, 0, 1));
    }
}
