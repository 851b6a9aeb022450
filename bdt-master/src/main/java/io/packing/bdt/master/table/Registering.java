// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import io.packing.bdt.WorkerInUseException;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.master.table.change.TableWriter;
import io.packing.bdt.master.table.operation.SessionOperations;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.master.table.row.SessionRow;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A worker's process that asks for its id, which another one may have. */
final class Registering {
    private final LiveWorkers live;
    private final WorkerRegistration registration;
    private Runnable takeBack = () -> {};

    Registering(LiveWorkers live, WorkerRegistration registration) {
        this.live = live;
        this.registration = registration;
    }

    /** Registers; fails with {@link WorkerInUseException} when another process has the id and is alive. */
    CompletableFuture<SessionId> on(TableWriter writer) {
        CompletableFuture<SessionId> registered = writer.submit(transaction -> {
            Optional<SessionRow> before = transaction.session(registration.worker());
            if (before.isPresent()
                    && !before.get()
                            .yieldsTo(
                                    registration,
                                    transaction.sessions().recoveries().newestAt())) {
                refuseWhileAlive(before.get());
            }
            SessionRow session = new SessionOperations(transaction).register(registration);
            // At once: the next mutation of the batch may be another process that wants the id.
            takeBack = live.registered(
                    new WorkerInfo(session.worker(), session.address(), session.sessionEpoch(), 0, 0),
                    before.isEmpty());
            return session.id();
        });
        return registered.whenComplete((session, failure) -> {
            if (failure != null) {
                takeBack.run();
            }
        });
    }

    private void refuseWhileAlive(SessionRow before) throws WorkerInUseException {
        Duration left = live.leaseLeft(before.worker());
        if (!left.isZero()) {
            throw new WorkerInUseException(before.worker(), before.address(), left, live.isPresumed(before.worker()));
        }
    }
}
