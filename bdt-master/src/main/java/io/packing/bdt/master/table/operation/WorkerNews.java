// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.Heartbeat;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.master.table.row.SessionRow;
import java.io.IOException;

/** The part of a heartbeat that the table learns from. Confined to the writer thread. */
public final class WorkerNews {
    private WorkerNews() {}

    /** Returns whether a heartbeat changes rows. */
    public static boolean isForTheTable(Heartbeat heartbeat) {
        return !heartbeat.blobs().isEmpty()
                || !heartbeat.files().isEmpty()
                || heartbeat.presence() == Heartbeat.Presence.LEFT;
    }

    /** Takes what a worker has pushed and committed, and its good-bye. */
    public static SessionRow take(Transaction transaction, SessionId session, Heartbeat heartbeat) throws IOException {
        SessionRow row = transaction.checkSession(session);
        new CommitOperations(transaction).commit(session, heartbeat.files());
        for (PushedBlob blob : heartbeat.blobs()) {
            CommitCheck.blob(session.worker(), blob);
            transaction.blobs().pushed(blob);
        }
        if (heartbeat.presence() == Heartbeat.Presence.LEFT) {
            // A restart of the master must not forget it: a mount whose workers have all left waits for none.
            transaction.putSession(row.asLeft());
        }
        return row;
    }
}
