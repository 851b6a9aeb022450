// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.SessionRow;
import io.packing.bdt.master.table.row.StoreRows;
import io.packing.sorted.SortedView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** A mount's rows, and what they say of paths. */
public record TableView(Rows rows, Namespace namespace) {
    /** Makes a view of the rows of one moment. It leaves out the memory beside the store. */
    static TableView of(SortedView moment) {
        Rows rows = new StoreRows(moment);
        return new TableView(
                rows,
                new Namespace(
                        rows,
                        (parent, name) -> rows.get(Keys.entry(parent, name)).map(Inode::decode),
                        worker -> session(rows, worker)));
    }

    private static Optional<SessionRow> session(Rows rows, String worker) {
        try {
            return rows.get(Keys.named(Keys.WORKER, worker)).map(row -> SessionRow.decode(worker, row));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
