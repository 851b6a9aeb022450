// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A recovery after a master that did not end in order: changes of names that it had not uploaded yet are undone. No row of the store tells
 * which, so the table only says when that was, until an operator accepts it.
 *
 * <pre>
 * m undone       milliseconds of the recovery
 * </pre>
 *
 * @param recovered time of the recovery
 */
public record Undone(Instant recovered) {
    public static final byte[] KEY = Keys.named(Keys.META, "undone");

    /** Returns what a table says; empty: nothing was undone, or an operator has accepted it. */
    public static Optional<Undone> find(Rows rows) throws IOException {
        return rows.get(KEY).map(row -> new Undone(Instant.ofEpochMilli(new Bytes.In(row).number())));
    }

    /** Writes it into a table that a recovery has made, and that no master has opened yet. */
    public void write(SortedStore fresh) throws IOException {
        WriteBatch batch = new WriteBatch();
        batch.put(KEY, new Bytes.Out().number(recovered.toEpochMilli()).toBytes());
        fresh.write(batch, SortedStore.Sync.FSYNC);
    }

    /** For people. */
    @Override
    public String toString() {
        return ("the table was recovered at %s after a master that did not end in order: renames, deletes and other changes of names of its"
                        + " last packing.journal.interval may be undone (docs/recover.md)")
                .formatted(recovered.truncatedTo(ChronoUnit.SECONDS));
    }
}
