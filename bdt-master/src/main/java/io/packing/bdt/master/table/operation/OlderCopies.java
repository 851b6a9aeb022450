// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.master.table.change.Recoveries;
import io.packing.bdt.master.table.change.Sessions;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Recovered;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turn of a gap into a recovery, once a worker has shown that the table was an older copy at that start. What was claimed in
 * between may come back then. The sessions from before end, so that all workers report their files. Confined to the writer thread.
 */
public final class OlderCopies {
    private static final Logger LOG = LoggerFactory.getLogger(OlderCopies.class);

    private OlderCopies() {}

    /** Does it for the gap that a heartbeat or a session has shown, if one has. */
    public static void settle(Transaction transaction) throws IOException {
        Sessions sessions = transaction.sessions();
        if (sessions.proven().isPresent()
                && sessions.recoveries().gaps().contains(sessions.proven().get())) {
            Recoveries unused = settle(transaction, sessions.proven().get());
        }
    }

    /** Returns what the table says of its recoveries from now on. */
    public static Recoveries settle(Transaction transaction, Recovered gap) throws IOException {
        Recoveries after = transaction.sessions().recoveries().proven(gap);
        transaction.rows().put(Recoveries.KEY, after.encode());
        transaction.rows().put(Recoveries.GAPS, after.encodeGaps());
        transaction.change().journal(new JournalEntry.Rebuilt(new Recovered(gap.at(), gap.firstId(), gap.backup())));
        LOG.error(
                "the table was an older copy when this mount was opened after position {}: a worker was answered later changes."
                        + " Workers name what they buffer, and it comes back; renames and deletes that no journal had are undone",
                gap.backup());
        return after;
    }
}
