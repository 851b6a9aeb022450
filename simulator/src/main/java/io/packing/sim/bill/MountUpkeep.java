// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.bill;

import io.packing.options.PriceTable;

/**
 * The requests of a mount's master that do not depend on the number of files: looks at its lease, journals of changed names, and its stop. No
 * estimate of an ingest counts them; beside a few hundred requests they are a percent.
 *
 * @param seconds for which the mount is open
 * @param journals uploads of changed names, at most one in each {@code packing.journal.interval}
 */
public record MountUpkeep(double seconds, long journals) {
    /** The pause between two looks: two thirds of a lease. */
    private static final double LOOK_SECONDS = 30;

    /** The next epoch, the own one, and the question of another master. */
    private static final int GETS_OF_LOOK = 3;

    /** An upload is preceded and followed by a look for a newer master. */
    private static final int GETS_OF_UPLOAD = 2;

    /** Writes of a stop, beside the backup: the rest of the journal, and the end of the lease. */
    private static final int PUTS_OF_STOP = 2;

    /** Reads of a stop: of the backup, the journal and the lease. */
    private static final int GETS_OF_STOP = 4;

    public MountUpkeep {
        if (!(seconds >= 0) || journals < 0) {
            throw new IllegalArgumentException("%s s with %d journals".formatted(seconds, journals));
        }
    }

    /** Returns a prediction with these requests; the backup of the stop is in it already. */
    public BillPrediction with(BillPrediction ingest, PriceTable prices) {
        long puts = PUTS_OF_STOP + journals;
        long looks = (long) (seconds / LOOK_SECONDS);
        long gets = looks * GETS_OF_LOOK + journals * GETS_OF_UPLOAD + GETS_OF_STOP;
        return new BillPrediction(
                ingest.source() + ", with the upkeep of the mount",
                ingest.puts() + puts,
                ingest.lists(),
                ingest.gets() + gets,
                ingest.heads(),
                ingest.bytes(),
                ingest.dollars() + prices.requests(puts, 0, gets, 0));
    }
}
