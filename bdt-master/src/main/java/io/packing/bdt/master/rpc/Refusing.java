// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.packing.bdt.BdtMethods;
import io.packing.bdt.BusyException;
import io.packing.bdt.rpc.StatusMapping;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** Refuses calls before anything of them is read. What workers call for their sessions is taken always. Thread-safe. */
abstract class Refusing implements ServerInterceptor {
    private final LongAdder refused = new LongAdder();

    /**
     * Why a call is not taken now; empty: it is.
     *
     * @param method the bare name
     */
    abstract Optional<BusyException> refusal(ServerCall<?, ?> call, String method);

    /** Returns the number of refused calls. */
    public final long refused() {
        return refused.sum();
    }

    @Override
    public final <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        String method = String.valueOf(call.getMethodDescriptor().getBareMethodName());
        Optional<BusyException> why =
                BdtMethods.OF_SESSIONS.contains(method) ? Optional.empty() : refusal(call, method);
        if (why.isEmpty()) {
            return next.startCall(call, headers);
        }
        refused.increment();
        StatusRuntimeException status = StatusMapping.toStatus(why.get());
        Metadata trailers = status.getTrailers();
        call.close(status.getStatus(), trailers == null ? new Metadata() : trailers);
        return new ServerCall.Listener<>() {};
    }
}
