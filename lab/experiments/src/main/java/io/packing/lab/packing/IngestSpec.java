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
}
