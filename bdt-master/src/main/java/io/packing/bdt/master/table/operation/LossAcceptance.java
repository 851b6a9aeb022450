// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.row.Undone;
import io.packing.bdt.master.table.row.Unread;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The mutations by which an operator accepts that a recovery could not bring everything back. Confined to the writer thread. */
public final class LossAcceptance {
    private LossAcceptance() {}

    /** Forgets the objects that a recovery could not read, and returns them. */
    public static List<Unread> unread(Transaction transaction) throws IOException {
        List<Unread> all = Unread.load(transaction.rows());
        transaction.rows().delete(Unread.KEY);
        long unused = transaction.change().nextPosition();
        return all;
    }

    /** Forgets that a recovery undid changes of names, and returns when it was. */
    public static Optional<Undone> undone(Transaction transaction) throws IOException {
        Optional<Undone> undone = Undone.find(transaction.rows());
        transaction.rows().delete(Undone.KEY);
        long unused = transaction.change().nextPosition();
        return undone;
    }
}
