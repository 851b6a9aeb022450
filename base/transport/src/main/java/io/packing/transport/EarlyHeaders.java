package io.packing.transport;

import io.grpc.ForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/**
 * Headers that are sent when a call with several messages begins, and not with its first answer. When a later message is too large, gRPC ends the
 * stream below the call, with headers if none were sent yet. A handler that answers an earlier message at that moment sends headers, too, and
 * headers of an ended stream end the whole connection. With headers sent before, gRPC ends the stream by a reset, behind which answers are dropped.
 */
final class EarlyHeaders implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (call.getMethodDescriptor().getType().clientSendsOneMessage()) {
            // Its handler has the message, and none comes after it.
            return next.startCall(call, headers);
        }
        call.sendHeaders(new Metadata());
        return next.startCall(
                new ForwardingServerCall.SimpleForwardingServerCall<>(call) {
                    @Override
                    public void sendHeaders(Metadata sentAlready) {
                        // By the call.
                    }
                },
                headers);
    }
}
