// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.calls;

import com.google.protobuf.DynamicMessage;
import io.grpc.Status;
import java.util.List;
import java.util.Set;

/** A judge of a call's end. */
public interface CallJudge {
    /** The statuses by which a server reports a bug of its own. */
    Set<Status.Code> BUGS =
            Set.of(Status.Code.INTERNAL, Status.Code.UNKNOWN, Status.Code.DATA_LOSS, Status.Code.UNIMPLEMENTED);

    /**
     * Returns the harm of a call; empty without one.
     *
     * @param sent the messages of the call
     */
    String harm(Rpc rpc, List<DynamicMessage> sent, CallMaker.Manner manner, CallMaker.End end);

    /** Judges a call by a caller with rights. */
    static String ofCallers(Rpc rpc, List<DynamicMessage> sent, CallMaker.Manner manner, CallMaker.End end) {
        Status.Code code = end.status().getCode();
        // gRPC itself answers a unary call without a message so.
        boolean expected = manner == CallMaker.Manner.SILENT && code == Status.Code.INTERNAL;
        if (code == Status.Code.DEADLINE_EXCEEDED) {
            return rpc.name() + " hangs";
        } else if (BUGS.contains(code) && !expected) {
            return "%s ends with %s: %s"
                    .formatted(rpc.name(), code, end.status().getDescription());
        }
        return CallMaker.failure(rpc, end.answers())
                .map(text -> "%s answers %s".formatted(rpc.name(), text))
                .orElse("");
    }

    /** Judges a call by a caller without an identity, which must get that refusal only. */
    static String ofStrangers(Rpc rpc, List<DynamicMessage> sent, CallMaker.Manner manner, CallMaker.End end) {
        Status.Code code = end.status().getCode();
        boolean refused = code == Status.Code.UNAUTHENTICATED
                || (code == Status.Code.CANCELLED && manner != CallMaker.Manner.ORDERLY);
        return refused && end.answers().isEmpty()
                ? ""
                : "%s answers a caller without an identity with %s: %s"
                        .formatted(rpc.name(), code, end.status().getDescription());
    }
}
