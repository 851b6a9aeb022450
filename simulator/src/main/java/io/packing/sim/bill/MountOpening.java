// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.bill;

import io.packing.options.PriceTable;

/**
 * The requests with which a master finds an empty store, names it, takes its lease and looks for what it has. They happen once, so no
 * estimate of an ingest counts them; beside a few hundred requests they are a percent.
 */
public final class MountOpening {
    /** Writes: the store's identity, and the lease. */
    private static final long PUTS = 2;

    /** Listings: leases twice, the store's names, backups and journals in two pages, blobs. */
    private static final long LISTS = 6;

    /** Reads: the list of homes twice, identities in four places, the lease of a master that was faster. */
    private static final long GETS = 7;

    /** Questions whether the bucket is there, one for each client of the store. */
    private static final long HEADS = 4;

    private MountOpening() {}

    /** Returns a prediction with these requests. */
    public static BillPrediction with(BillPrediction ingest, PriceTable prices) {
        return new BillPrediction(
                ingest.source() + ", with the opening of the mount",
                ingest.puts() + PUTS,
                ingest.lists() + LISTS,
                ingest.gets() + GETS,
                ingest.heads() + HEADS,
                ingest.bytes(),
                ingest.dollars() + prices.requests(PUTS, LISTS, GETS, HEADS));
    }
}
