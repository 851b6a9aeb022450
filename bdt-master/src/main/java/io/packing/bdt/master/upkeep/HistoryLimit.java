// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.change.Recoveries;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.row.Keys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the history of a recovered table when it has become long. From then on a worker that comes back with files that
 * the recovery lost does not get them back: the table no longer knows which of them were deleted. Confined to the upkeep
 * thread.
 */
public final class HistoryLimit {
    /** Deletes and renames after a recovery. A worker's reclaim reads them all, in a tenth of a second. */
    public static final int MOST_ENTRIES = 100_000;

    private static final int DELETED_AT_ONCE = 5_000;

    private static final Logger LOG = LoggerFactory.getLogger(HistoryLimit.class);

    private final String mount;
    private final Table table;
    private final int mostEntries;
    private long nextCheck;

    public HistoryLimit(String mount, Table table, int mostEntries) {
        this.mount = mount;
        this.table = table;
        this.mostEntries = mostEntries;
    }

    /** Counts, ends, or removes some of what ended; returns whether there was anything to do. */
    public boolean step() throws IOException {
        long recoveredAt = table.recoveries().lossesSince();
        if (recoveredAt == 0) {
            return false;
        }
        if (Recoveries.endedAt(table.rows()) >= recoveredAt) {
            return isThere() && Waiting.on(table.writer().submit(HistoryLimit::removeSome));
        }
        long position = table.position();
        if (position < nextCheck) {
            return false;
        }
        int entries = entries(recoveredAt);
        if (entries <= mostEntries) {
            // Each entry has a position of its own, so there cannot be too many before that.
            nextCheck = position + 1 + mostEntries - entries;
            return false;
        }
        long ended = Waiting.on(table.writer().submit(t -> {
            Recoveries.end(t.rows(), recoveredAt);
            return t.change().nextPosition();
        }));
        LOG.warn(
                "mount {}: more than {} deletes and renames since the recovery, or the start after a crash; from position {} on, files that it lost"
                        + " are refused to workers that bring them back",
                mount,
                mostEntries,
                ended);
        return true;
    }

    private boolean isThere() throws IOException {
        boolean[] any = new boolean[1];
        table.rows().scan(Keys.kind(Keys.HISTORY), Keys.kindEnd(Keys.HISTORY), (key, value) -> {
            any[0] = true;
            return false;
        });
        return any[0];
    }

    private int entries(long recoveredAt) throws IOException {
        int[] count = new int[1];
        byte[] from = Keys.numbered(Keys.HISTORY, recoveredAt + 1);
        table.rows().scan(from, Keys.kindEnd(Keys.HISTORY), (key, value) -> ++count[0] <= mostEntries);
        return count[0];
    }

    private static boolean removeSome(Transaction table) throws IOException {
        List<byte[]> some = new ArrayList<>();
        table.rows().scan(Keys.kind(Keys.HISTORY), Keys.kindEnd(Keys.HISTORY), (key, value) -> {
            some.add(key.clone());
            return some.size() < DELETED_AT_ONCE;
        });
        some.forEach(table.rows()::delete);
        return !some.isEmpty();
    }
}
