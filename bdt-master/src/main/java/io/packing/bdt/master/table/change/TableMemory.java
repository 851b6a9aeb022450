// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.read.DirectoryCache;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapForm;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.StoreRows;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.sorted.SortedStore;
import java.io.IOException;

/**
 * The part of a table's rows that is kept in memory, because mutations ask for it again and again.
 *
 * @param form which maps of files are in rows
 */
public record TableMemory(
        Counters counters,
        DirectoryCache directories,
        Sessions sessions,
        RequestMemory requests,
        MapForm form,
        DroppedSnapshots dropped) {
    /** Loads it from the rows of a store. */
    public static TableMemory load(SortedStore store, long cachedDirectories, MapForm form) throws IOException {
        Rows rows = new StoreRows(store);
        Counters counters = rows.get(Counters.KEY).map(Counters::decode).orElseGet(Counters::new);
        Sessions sessions = Sessions.load(rows);
        counters.hold(HeldFiles.load(rows, counters.heldAreCounted, sessions.all()));
        counters.heldAreCounted = true;
        return new TableMemory(
                counters,
                new DirectoryCache(store, cachedDirectories),
                sessions,
                RequestMemory.load(rows),
                form,
                new DroppedSnapshots());
    }

    /** Learns the changes of a batch of mutations, after the store has them. */
    public void written(WriteSet writes) {
        writes.all().forEach(row -> {
            if (row.getKey()[0] == Keys.ENTRY) {
                directories.invalidate(row.getKey());
            }
            sessions.written(row.getKey(), row.getValue());
        });
    }
}
