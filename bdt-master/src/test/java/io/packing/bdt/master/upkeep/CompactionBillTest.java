// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.master.table.row.BlobRow;
import io.packing.blob.BlobName;
import io.packing.options.PriceTable;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A compaction runs where a month's storage costs more than its requests. */
class CompactionBillTest {
    private static final long MIB = 1L << 20;
    private static final PriceTable S3 = PriceTable.ofLocation("s3://bucket");

    private static CompactionBill bill(PriceTable prices) {
        return new CompactionBill(prices, 256 * MIB, (int) (16 * MIB));
    }

    private static SparseBlobs.Sparse blob(long total, long live) {
        return SparseBlobs.Sparse.of(1, new BlobRow(new BlobName("w", total, 1), total, live, true, 0), 0);
    }

    @Test
    void aBlobPaysFromItsBreakEvenOn() {
        // Four PUTs and three GETs are 0.0000212 dollars: a month of 0.99 MB at 0.023 dollars a GB.
        assertThat(bill(S3).spent(List.of(blob(MIB, MIB / 2)))).isEqualTo(4 * 0.000005 + 3 * 0.0000004);
        assertThat(bill(S3).saved(List.of(blob(MIB, MIB / 2)))).isEqualTo(0.023 / 2048);
        assertThat(bill(S3).pays(List.of(blob(MIB, MIB / 2)))).isFalse();
        assertThat(bill(S3).pays(List.of(blob(2 * MIB, MIB / 2)))).isTrue();
    }

    @Test
    void smallBlobsPayInCompany() {
        SparseBlobs.Sparse small = blob(256 << 10, 50 << 10);
        assertThat(bill(S3).pays(List.of(small))).isFalse();
        assertThat(bill(S3).pays(small)).isTrue();
        assertThat(bill(S3).pays(Collections.nCopies(10, small))).isTrue();
    }

    @Test
    void aBlobWhoseReadsCostMoreThanItsStorageIsNotOffered() {
        assertThat(bill(S3).pays(blob(50 << 10, 1 << 10))).isFalse();
        assertThat(bill(S3).pays(blob(1 << 30, (1 << 30) - (1 << 20)))).isFalse();
    }

    @Test
    void bytesThatCostAnUploadAreCountedWithIt() {
        PriceTable dearUploads = new PriceTable(0, 0, 0, 0, 1 << 30, 0.023, 0.05, 1);
        assertThat(bill(dearUploads).pays(blob(100 * MIB, 20 * MIB))).isTrue();
        assertThat(bill(dearUploads).pays(blob(100 * MIB, 50 * MIB))).isFalse();
    }

    @Test
    void deadBytesInLiveExtentsAreWon() {
        BlobRow row = new BlobRow(new BlobName("w", 8 * MIB, 1), 8 * MIB, 8 * MIB, true, 0);
        SparseBlobs.Sparse cut = SparseBlobs.Sparse.of(1, row, 7 * MIB);
        assertThat(cut.live()).isEqualTo(MIB);
        assertThat(cut.dead()).isEqualTo(7 * MIB);
        assertThat(bill(S3).pays(List.of(cut))).isTrue();
    }
}
