// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.rpc;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.rpc.CallAnswers;
import io.packing.csi.volume.CsiRefusal;
import java.util.Optional;

/** The answers of the driver, whose refusals name their statuses. */
final class CsiAnswers {
    private static final CallAnswers ANSWERS = new CallAnswers(
            "the driver",
            failure -> failure instanceof CsiRefusal refusal
                    ? Optional.of(Status.Code.valueOf(refusal.reason().name()))
                    : Optional.empty());

    private CsiAnswers() {}

    /** Does the work of a call and answers it. */
    static <T> void answer(StreamObserver<T> to, String call, String about, CallAnswers.Work<T> work) {
        ANSWERS.answer(to, call, about, work);
    }
}
