// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.master.table.change.Sessions;
import io.packing.bdt.master.table.change.TableWriter;
import io.packing.bdt.master.table.operation.WorkerNews;
import io.packing.bdt.master.table.row.SessionId;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** A heartbeat of a worker. Only one with news for the table waits for the writer. */
record ReceivedHeartbeat(TableState state, SessionId session, Heartbeat heartbeat) {
    CompletableFuture<HeartbeatReply> on(TableWriter writer) {
        try {
            Sessions sessions = state.sessions();
            sessions.witness(session.worker(), heartbeat.newest());
            state.workers().checkOrders(session.worker());
            if (!WorkerNews.isForTheTable(heartbeat)) {
                return CompletableFuture.completedFuture(
                        state.answer(sessions.check(session, sessions.of(session.worker())), heartbeat));
            }
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        return writer.submit(transaction -> WorkerNews.take(transaction, session, heartbeat))
                .thenApply(row -> state.answer(row, heartbeat));
    }
}
