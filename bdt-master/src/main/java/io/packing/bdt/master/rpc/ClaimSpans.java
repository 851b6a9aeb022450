// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.ClaimBatch;
import io.packing.bdt.rpc.ClaimMessage;
import io.packing.spans.Span;
import io.packing.spans.SpanContext;
import io.packing.spans.Spans;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/** Spans of claims, which travel many in one message: each traced claim, from its message to its answer. */
public final class ClaimSpans implements ServerInterceptor {
    private final Spans spans;

    public ClaimSpans(Spans spans) {
        this.spans = spans;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (!call.getMethodDescriptor()
                .getFullMethodName()
                .equals(BdtGrpc.getClaimsMethod().getFullMethodName())) {
            return next.startCall(call, headers);
        }
        // Answers keep the order of the batches.
        Deque<List<Span>> unanswered = new ConcurrentLinkedDeque<>();
        ServerCall<Q, A> answering = new SimpleForwardingServerCall<>(call) {
            @Override
            public void sendMessage(A reply) {
                List<Span> answered = unanswered.poll();
                if (answered != null) {
                    answered.forEach(Span::close);
                }
                super.sendMessage(reply);
            }

            @Override
            public void close(Status status, Metadata trailers) {
                fail(unanswered, status);
                super.close(status, trailers);
            }
        };
        return new SimpleForwardingServerCallListener<>(next.startCall(answering, headers)) {
            @Override
            public void onMessage(Q message) {
                unanswered.add(begun(message));
                super.onMessage(message);
            }

            @Override
            public void onCancel() {
                fail(unanswered, Status.CANCELLED);
                super.onCancel();
            }
        };
    }

    private static void fail(Deque<List<Span>> unanswered, Status status) {
        for (List<Span> batch = unanswered.poll(); batch != null; batch = unanswered.poll()) {
            batch.forEach(span -> {
                span.failed(status.getCode().name());
                span.close();
            });
        }
    }

    private List<Span> begun(Object message) {
        List<Span> begun = new ArrayList<>();
        if (message instanceof ClaimBatch batch) {
            for (ClaimMessage claim : batch.getClaimsList()) {
                if (!claim.getSpan().isEmpty()) {
                    begun.add(spans.serve(
                            "claim", SpanContext.ofBytes(claim.getSpan().toByteArray())));
                }
            }
        }
        return begun;
    }
}
