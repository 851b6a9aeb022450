// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.packing.blob.FilePath;
import io.packing.simulation.schedule.RecordedOperation;
import io.packing.simulation.schedule.Schedule;

/**
 * The records of what clients did to names, for checkers of histories. A name is a register: a write or the arrival of a renamed file gives
 * it a value, a delete or a rename takes the value. The moments are numbers of events, so that no two are equal.
 */
final class OperationRecords {
    private final Schedule schedule;
    private final int client;
    private final Moments moments;

    /** The moments of one schedule, which all its clients share. */
    static final class Moments {
        private long last;

        private long next() {
            return ++last;
        }
    }

    OperationRecords(Schedule schedule, int client, Moments moments) {
        this.schedule = schedule;
        this.client = client;
        this.moments = moments;
    }

    /** Returns the moment of a call. */
    long call() {
        return moments.next();
    }

    /** Records that a name got a state. */
    void wrote(FilePath path, long state, long call) {
        record(path, new RecordedOperation(client, true, state, call, moments.next()));
    }

    /** Records that a name may have got a state, or may get it later. */
    void mayHaveWritten(FilePath path, long state, long call) {
        record(path, new RecordedOperation(client, true, state, call, RecordedOperation.OPEN));
    }

    /** Records that a name was seen in a state. */
    void read(FilePath path, long state, long call) {
        record(path, new RecordedOperation(client, false, state, call, moments.next()));
    }

    private void record(FilePath path, RecordedOperation operation) {
        if (schedule.records().isKept()) {
            schedule.records().add(operation.line(path.value()));
        }
    }
}
