// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.packing.bdt.NotLeaderException;
import io.packing.bdt.rpc.StatusMapping;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Lets a master of a group answer only while it leads the group and may answer for it. It is asked before each answer, errors
 * included: what was computed while this master led and is sent later may be wrong by then. A call begins as soon as this master
 * leads, before it may answer: so mounts are open by then.
 */
public final class LeaderGate implements ServerInterceptor {
    private final BooleanSupplier leads;
    private final Supplier<Optional<NotLeaderException>> refusal;

    /**
     * Asks often.
     *
     * @param leads whether this master leads
     * @param refusal why this master must not answer now; empty: it may
     */
    public LeaderGate(BooleanSupplier leads, Supplier<Optional<NotLeaderException>> refusal) {
        this.leads = leads;
        this.refusal = refusal;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Optional<NotLeaderException> before = leads.getAsBoolean() ? Optional.empty() : refusal.get();
        if (before.isPresent()) {
            refuse(call, before.get());
            return new ServerCall.Listener<>() {};
        }
        return next.startCall(new Gated<>(call), headers);
    }

    private static <Q, A> void refuse(ServerCall<Q, A> call, NotLeaderException why) {
        StatusRuntimeException status = StatusMapping.toStatus(why);
        Metadata trailers = status.getTrailers();
        call.close(status.getStatus(), trailers == null ? new Metadata() : trailers);
    }

    private final class Gated<Q, A> extends SimpleForwardingServerCall<Q, A> {
        private boolean refused;

        Gated(ServerCall<Q, A> call) {
            super(call);
        }

        @Override
        public void sendMessage(A message) {
            if (!refusedNow()) {
                super.sendMessage(message);
            }
        }

        @Override
        public void close(Status status, Metadata trailers) {
            if (!refusedNow()) {
                super.close(status, trailers);
            }
        }

        private boolean refusedNow() {
            if (!refused) {
                refusal.get().ifPresent(why -> {
                    refused = true;
                    refuse(delegate(), why);
                });
            }
            return refused;
        }
    }
}
