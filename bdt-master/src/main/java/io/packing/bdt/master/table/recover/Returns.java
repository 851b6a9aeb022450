// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.recover;

import io.packing.bdt.master.table.row.JournalBytes;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * Files that came back after an earlier recovery, and whose path the journal names: the positions of these entries, by file. Immutable
 * after its construction.
 */
final class Returns {
    private final Map<Long, TreeSet<Long>> positions = new HashMap<>();

    /** Reads those after a position. */
    static Returns after(long position, Rows rows) throws IOException {
        Returns returns = new Returns();
        byte[] from = Keys.numbered(Keys.HISTORY, position + 1);
        rows.scan(from, Keys.kindEnd(Keys.HISTORY), (key, value) -> {
            if (JournalBytes.decode(value) instanceof JournalEntry.Kept kept) {
                returns.positions
                        .computeIfAbsent(kept.id(), first -> new TreeSet<>())
                        .add(Keys.number(key));
            }
            return true;
        });
        return returns;
    }

    /** Returns the position of the first entry of a file after a position. */
    OptionalLong next(long file, long position) {
        TreeSet<Long> all = positions.get(file);
        Long next = all == null ? null : all.higher(position);
        return next == null ? OptionalLong.empty() : OptionalLong.of(next);
    }
}
