// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.master.table.row.SessionRow;
import java.io.IOException;

/** The mutations by which a worker begins a session and gets ids for its files. Confined to the writer thread. */
public final class SessionOperations {
    private final Transaction transaction;

    public SessionOperations(Transaction transaction) {
        this.transaction = transaction;
    }

    public SessionRow register(WorkerRegistration registration) throws IOException {
        OlderCopies.settle(transaction);
        String worker = registration.worker();
        if (worker.equals(BlobRow.COMPACTED)) {
            throw new IllegalArgumentException(
                    "worker id '%s' is what the master calls itself in names of blobs: take another".formatted(worker));
        }
        long floor = transaction.session(worker).map(SessionRow::floor).orElse(0L);
        SessionRow row = new SessionRow(
                new SessionId(worker, transaction.change().nextPosition()),
                registration.address(),
                floor,
                registration.buffer());
        transaction.putSession(row);
        return row;
    }

    public long leaseIds(SessionId session, int count) throws IOException {
        transaction.checkSession(session);
        if (count <= 0 || count > 1 << 24) {
            throw new IllegalArgumentException("cannot lease %d ids".formatted(count));
        }
        long first = transaction.change().nextIds(count);
        transaction.unclaimed().add(first, count);
        // The batch is written only when a row changes; the counters row is enough.
        transaction
                .rows()
                .put(
                        Keys.named(Keys.META, "leased"),
                        new Bytes.Out().number(first + count).toBytes());
        return first;
    }
}
