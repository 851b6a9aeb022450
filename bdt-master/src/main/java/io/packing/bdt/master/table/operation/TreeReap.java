// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.change.TreeClones;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Removes what was below deleted directories, a bounded number of entries at a time. What is left to do stands in the table, so a
 * restart goes on where the last one ended. Confined to the writer thread.
 */
public final class TreeReap {
    private static final int ENTRIES_PER_STEP = 1_000;

    private record Entry(String name, Inode inode) {}

    private TreeReap() {}

    /** Returns whether there is anything to do. */
    public static boolean isDue(Rows rows) throws IOException {
        return first(rows).isPresent();
    }

    /** Removes some entries; returns whether there was anything to do. */
    public static boolean step(Transaction table) throws IOException {
        Optional<Long> directory = first(table.rows());
        if (directory.isEmpty()) {
            return false;
        }
        long id = directory.get();
        List<Entry> entries = new ArrayList<>();
        table.rows().scan(Keys.entries(id), Keys.entriesEnd(id), (key, value) -> {
            entries.add(new Entry(Keys.entryName(key), Inode.decode(value)));
            return entries.size() < ENTRIES_PER_STEP;
        });
        table.endUrgently();
        for (Entry entry : entries) {
            if (entry.inode.isDirectory()) {
                table.rows().put(Keys.numbered(Keys.REAP, entry.inode.id()), new byte[0]);
            }
            table.remove(id, entry.name, entry.inode);
        }
        int left = ENTRIES_PER_STEP - entries.size();
        if (left > 0 && new TreeClones(table).forgetGone(id, left) < left) {
            table.rows().delete(Keys.numbered(Keys.REAP, id));
        }
        return true;
    }

    private static Optional<Long> first(Rows rows) throws IOException {
        return rows.firstKey(Keys.kind(Keys.REAP), Keys.kindEnd(Keys.REAP)).map(Keys::number);
    }
}
