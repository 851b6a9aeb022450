// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import io.packing.bdt.WorkerSession;
import java.util.Optional;

/** The number of the last order to drop a file that a session of a worker has followed. The master repeats later ones. Thread-safe. */
final class FollowedOrders {
    private Optional<WorkerSession> session = Optional.empty();
    private long last;

    /** Returns the number of the last order that a session has followed; 0: none. */
    synchronized long in(WorkerSession asked) {
        return session.filter(known -> known == asked).isPresent() ? last : 0;
    }

    /** Notes that a session has followed all orders up to this one. */
    synchronized void follow(WorkerSession by, long number) {
        session = Optional.of(by);
        last = number;
    }
}
