// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.recover;

import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.row.JournalBytes;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Keys;
import java.io.IOException;
import java.util.Optional;

/**
 * Files that a clone had from its origin, and that became its own for lost files only, which came back to their paths. With a journal that was unread
 * at such a return, the path may show nothing of the origin any more.
 */
final class ReplacedOriginals {
    /** The most positions between the entry of such a file and that of the return. */
    private static final int MOST_UNTIL_RETURN = 8;

    private ReplacedOriginals() {}

    /**
     * Returns whether a replay leaves such a file away: its path was deleted, or has another file.
     *
     * @param position of the entry
     */
    static boolean isOver(Transaction transaction, JournalEntry.Mapped mapped, long position) throws IOException {
        if (!isReplacedByReturn(transaction, mapped, position)) {
            return false;
        }
        ResolvedPath found = transaction.namespace().find(mapped.path());
        return found.inode().isEmpty() || found.isPresent();
    }

    /** Returns whether a lost file took the place of a file in the mutation that made it: then an entry of kind 10 follows with the path. */
    private static boolean isReplacedByReturn(Transaction transaction, JournalEntry.Mapped mapped, long position)
            throws IOException {
        for (long next = position + 1; next <= position + MOST_UNTIL_RETURN; next++) {
            Optional<JournalEntry> entry =
                    transaction.rows().get(Keys.staged(next, 0, "")).map(JournalBytes::decode);
            if (entry.isPresent() && entry.get() instanceof JournalEntry.Kept kept) {
                return kept.path().equals(mapped.path()) && kept.id() != mapped.id();
            }
            boolean isOfOriginal = entry.isEmpty()
                    || entry.get() instanceof JournalEntry.NameOwned
                    || entry.get() instanceof JournalEntry.Ended
                    || entry.get() instanceof JournalEntry.Held;
            if (!isOfOriginal) {
                return false;
            }
        }
        return false;
    }
}
