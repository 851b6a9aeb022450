// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.blob.Extent;
import io.packing.options.PriceTable;
import java.util.List;

/**
 * The dollars of compactions: the storage that one saves, and the requests that it costs. Dead bytes are paid for until the last file of their
 * blob goes. The table cannot know when that will be. So a compaction has to pay within a month.
 *
 * @param prices of the store
 * @param blobBytes at which a new blob is complete
 * @param windowBytes read with one request; at least an extent
 */
record CompactionBill(PriceTable prices, long blobBytes, int windowBytes) {
    /**
     * PUTs of a new blob beside its own: a journal and two backups have to name it before the old blobs can go, if nothing else
     * is due.
     */
    static final int FURTHER_PUTS = 3;

    CompactionBill {
        windowBytes = Math.max(windowBytes, Extent.MAX_STORED);
    }

    /** Returns the dollars of a month's storage that the end of blobs saves, when their live bytes are elsewhere. */
    double saved(List<SparseBlobs.Sparse> blobs) {
        return prices.storage(
                (double) blobs.stream().mapToLong(SparseBlobs.Sparse::dead).sum());
    }

    /** Returns the dollars of the requests that make one new blob of old ones, and that let these go. */
    double spent(List<SparseBlobs.Sparse> blobs) {
        long live = blobs.stream().mapToLong(SparseBlobs.Sparse::live).sum();
        long gets = blobs.stream().mapToLong(this::gets).sum();
        return prices.requests(1L + FURTHER_PUTS, 0, gets, 0) + prices.upload((double) live);
    }

    /** Returns true if a new blob of these pays. */
    boolean pays(List<SparseBlobs.Sparse> blobs) {
        return !blobs.isEmpty() && saved(blobs) > spent(blobs);
    }

    /** Returns true if a blob pays in the company of others: for its reads, and for its share of a new blob. */
    boolean pays(SparseBlobs.Sparse blob) {
        double share = (double) blob.live() / blobBytes;
        return saved(List.of(blob))
                > prices.requests(share * (1 + FURTHER_PUTS), 0, (double) gets(blob), 0)
                        + prices.upload((double) blob.live());
    }

    /** The footer, the dictionary, and windows over the whole body: live extents may lie anywhere in it. */
    private long gets(SparseBlobs.Sparse blob) {
        return 2 + (blob.blob().name().footerOffset() + windowBytes - 1) / windowBytes;
    }
}
