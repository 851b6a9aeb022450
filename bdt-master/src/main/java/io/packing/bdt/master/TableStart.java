// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.master.cloud.NewerInStore;
import io.packing.bdt.master.cloud.TakeOvers;
import io.packing.bdt.master.log.BatchStore;
import io.packing.bdt.master.table.change.Counters;
import io.packing.bdt.master.table.change.Mutation;
import io.packing.bdt.master.table.change.Recoveries;
import io.packing.bdt.master.table.recover.FoundBlobs;
import io.packing.bdt.master.table.row.Reached;
import io.packing.bdt.master.table.row.Recovered;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.StoreRows;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.encryption.Keystore;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether the table on a disk is the newest of its mount when it was not given up, or not as it is now: after a crash it
 * is, but for an older copy of the directory. Where nothing shows that, the table goes on with numbers that no other copy of it
 * can have given out ([RFC 0017](docs/rfc/0017-one-timeline.md)).
 */
final class TableStart {
    private static final Logger LOG = LoggerFactory.getLogger(TableStart.class);

    private final String mount;
    private final BatchStore batches;
    private final Rows rows;
    private final Counters counters;
    private final FoundBlobs found;

    TableStart(String mount, BatchStore batches) throws IOException {
        this.mount = mount;
        this.batches = batches;
        this.rows = new StoreRows(batches.rows());
        this.counters = rows.get(Counters.KEY).map(Counters::decode).orElseGet(Counters::new);
        this.found = new FoundBlobs(rows);
    }

    /** Returns what the writer of a table that goes on is to do first. */
    List<Mutation<Boolean>> first() {
        return found.commits();
    }

    /** Returns why the table is an older copy; empty: it goes on, perhaps with numbers farther on. */
    Optional<String> goOn(TakeOvers.Held held, ObjectStore objects, Keystore keystore) throws IOException {
        Reached standing = counters.standing();
        if (held.isCurrent() || held.left().filter(standing::equals).isPresent()) {
            return Optional.empty();
        }
        Optional<String> older = held.left()
                .filter(left -> left.position() > standing.position())
                .map(left -> "its master left it at position %d".formatted(left.position()));
        if (older.isEmpty()) {
            older = new NewerInStore(objects, keystore, standing, found).find(rows);
        }
        if (older.isEmpty()) {
            jump(standing, held.lease().leaseEpoch());
        }
        return older.map(why -> "the table on this disk is at position %d, and %s".formatted(standing.position(), why));
    }

    private void jump(Reached before, long epoch) throws IOException {
        counters.jumpIds(epoch);
        counters.jumpPosition(epoch);
        Reached after = counters.standing();
        Recoveries recoveries = Recoveries.load(rows).withGap(Recovered.gap(before, after));
        WriteSet changed = new WriteSet(batches.rows());
        changed.put(Recoveries.GAPS, recoveries.encodeGaps());
        changed.put(Counters.KEY, counters.encode());
        changed.accept();
        batches.write(before.position() + 1, after.position(), changed, () -> {});
        LOG.info(
                "mount {}: its master had not stopped; the table goes on from position {} at {}",
                mount,
                before.position(),
                after.position());
    }
}
