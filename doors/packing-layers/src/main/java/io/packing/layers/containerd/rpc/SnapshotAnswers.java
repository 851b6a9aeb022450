// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd.rpc;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.rpc.CallAnswers;
import io.packing.layers.containerd.SnapshotRefusal;
import java.util.Optional;

/** The answers of the snapshotter, whose refusals name their statuses. */
final class SnapshotAnswers {
    private static final CallAnswers ANSWERS = new CallAnswers(
            "the snapshotter",
            failure -> failure instanceof SnapshotRefusal refusal
                    ? Optional.of(Status.Code.valueOf(refusal.reason().name()))
                    : Optional.empty());

    private SnapshotAnswers() {}

    /** Does the work of a call and answers it. */
    static <T> void answer(StreamObserver<T> to, String call, String about, CallAnswers.Work<T> work) {
        ANSWERS.answer(to, call, about, work);
    }
}
