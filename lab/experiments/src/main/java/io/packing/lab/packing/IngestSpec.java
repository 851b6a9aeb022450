// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import io.packing.options.PriceTable;

/**
 * The writes of an ingest experiment on each side (§8).
 *
 * @param files on each side
 * @param size bytes of each
 * @param clients that write at once
 * @param directFiles really written on the direct side, at most {@code files}; its figures are extrapolated from them
 * @param prices of the store
 */
public record IngestSpec(long files, int size, int clients, long directFiles, PriceTable prices) {
    /** More warms a direct side up no further: a store and its client are warm sooner than a worker, and a throttled store takes long. */
    private static final long MOST_DIRECT_WARM_UP = 500;

    public IngestSpec {
        if (files < 1 || size < 1 || clients < 1) {
            throw new IllegalArgumentException(
                    "files, size and clients must be positive: --files %d --size %d and %d clients"
                            .formatted(files, size, clients));
        }
        if (directFiles < 1 || directFiles > files) {
            throw new IllegalArgumentException(
                    "--direct-files %d: from 1 to --files, which is %d".formatted(directFiles, files));
        }
    }

    /** Returns the files that the direct side writes before the clock starts, if the packed side writes so many. */
    public static long directWarmUp(long packed) {
        return Math.min(packed, MOST_DIRECT_WARM_UP);
    }
}
