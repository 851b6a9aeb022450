// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

import io.packing.bdt.BdtChanges;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Changes of a mount, many in one vector. When a vector is refused, its changes are made one after the other: only impossible
 * changes fail. Thread-safe.
 */
final class Changes {
    private static final int MOST = 1_000;

    /** Operations that belong together, and what is done with the answer. */
    record Change(List<Precondition> preconditions, List<Operation> operations, Ended ended) {}

    /** A listener for the result of a change. */
    interface Ended {
        /**
         * Takes the end of a change.
         *
         * @param outcome {@link Outcome#DONE}, or why nothing was changed
         */
        void ended(Outcome outcome) throws IOException;
    }

    private final BdtChanges bdt;
    private final List<Change> waiting = new ArrayList<>();

    Changes(BdtChanges bdt) {
        this.bdt = bdt;
    }

    synchronized void add(Change change) throws IOException {
        waiting.add(change);
        if (waiting.size() >= MOST) {
            flush();
        }
    }

    /** Makes what waits. */
    synchronized void flush() throws IOException {
        List<Change> now = List.copyOf(waiting);
        waiting.clear();
        if (now.isEmpty()) {
            return;
        }
        if (apply(now) == Outcome.DONE) {
            for (Change each : now) {
                each.ended().ended(Outcome.DONE);
            }
            return;
        }
        for (Change each : now) {
            each.ended().ended(apply(List.of(each)));
        }
    }

    private Outcome apply(List<Change> changes) throws IOException {
        VectorResult result = bdt.apply(new OperationVector(
                changes.stream().flatMap(each -> each.preconditions().stream()).toList(),
                changes.stream().flatMap(each -> each.operations().stream()).toList()));
        return result instanceof VectorResult.Refused refused ? refused.reason() : Outcome.DONE;
    }
}
