// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.QuotaRow;
import io.packing.bdt.master.table.row.QuotaUse;
import io.packing.bdt.master.table.row.Rows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Counts what a directory with a quota has. */
public final class QuotaCounting {
    private QuotaCounting() {}

    /** Counts for a quota: the present entries of the directory, and removed ones that upkeep has not taken off yet. */
    public static QuotaUse use(Rows rows, Namespace namespace, Inode directory) throws IOException {
        QuotaUse has = new TreeUse(rows, namespace).of(directory);
        List<Long> removed = new ArrayList<>();
        rows.scan(Keys.kind(Keys.REAP), Keys.kindEnd(Keys.REAP), (key, value) -> {
            if (EffectiveQuotas.owed(Optional.of(value)).equals(Optional.of(directory.id()))) {
                removed.add(Keys.number(key));
            }
            return true;
        });
        for (long each : removed) {
            has = has.plus(new TreeUse(rows, namespace).below(each));
        }
        return has;
    }

    /** By how much the row of a quota counts too little at this moment; empty: there is no such directory or quota any more. */
    public static Optional<QuotaUse> missing(Rows rows, Namespace namespace, long id) throws IOException {
        Optional<QuotaRow> row = QuotaRow.of(rows, id);
        Optional<Inode> directory = directory(namespace, id);
        return row.isEmpty() || directory.isEmpty()
                ? Optional.empty()
                : Optional.of(use(rows, namespace, directory.get())
                        .plus(row.get().use().negated()));
    }

    /** The directory that a quota is of. */
    public static Optional<Inode> directory(Namespace namespace, long id) throws IOException {
        return id == Inode.ROOT_ID
                ? Optional.of(namespace.root())
                : namespace.linked(id).map(Namespace.Entry::inode);
    }
}
