package io.packing.fuzz.calls;

import com.google.protobuf.DynamicMessage;
import io.grpc.Status;
import java.util.List;
import java.util.Set;

/** Says what is wrong with how a call ended. */
public interface Judge {
    /** Ends of a call that say that the server did not expect this. */
    Set<Status.Code> BUGS =
            Set.of(Status.Code.INTERNAL, Status.Code.UNKNOWN, Status.Code.DATA_LOSS, Status.Code.UNIMPLEMENTED);

    /**
     * Returns what is wrong; empty when nothing is.
     *
     * @param sent the messages of the call
     */
    String harm(Rpc rpc, List<DynamicMessage> sent, Caller.Manner manner, Caller.End end);

    /** For callers who may call. */
    static String ofCallers(Rpc rpc, List<DynamicMessage> sent, Caller.Manner manner, Caller.End end) {
        Status.Code code = end.status().getCode();
        // What says nothing says nothing wrong: gRPC itself answers a unary call without a message.
        boolean expected = manner == Caller.Manner.SILENT && code == Status.Code.INTERNAL;
        if (code == Status.Code.DEADLINE_EXCEEDED) {
            return rpc.name() + " hangs";
        } else if (BUGS.contains(code) && !expected) {
            return "%s ends with %s: %s"
                    .formatted(rpc.name(), code, end.status().getDescription());
        }
        return Caller.failure(rpc, end.answers())
                .map(text -> "%s answers %s".formatted(rpc.name(), text))
                .orElse("");
    }

    /** For callers without an identity, who are told that, and nothing else. */
    static String ofStrangers(Rpc rpc, List<DynamicMessage> sent, Caller.Manner manner, Caller.End end) {
        Status.Code code = end.status().getCode();
        boolean refused = code == Status.Code.UNAUTHENTICATED
                || (code == Status.Code.CANCELLED && manner != Caller.Manner.ORDERLY);
        return refused && end.answers().isEmpty()
                ? ""
                : "%s answers a caller without an identity with %s: %s"
                        .formatted(rpc.name(), code, end.status().getDescription());
    }
}
