// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import io.grpc.ForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/**
 * An interceptor that sends headers when a call of several messages begins, not with its first answer. When a later
 * message is too large, gRPC ends the stream below the call, and sends headers if none were sent yet. A handler that
 * answers an earlier message at that moment sends headers, too. Headers on an ended stream end the whole connection. If
 * headers were sent before, gRPC resets the stream and drops later answers.
 */
final class EarlyHeaders implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (call.getMethodDescriptor().getType().clientSendsOneMessage()) {
            // The handler has the only message.
            return next.startCall(call, headers);
        }
        call.sendHeaders(new Metadata());
        return next.startCall(
                new ForwardingServerCall.SimpleForwardingServerCall<>(call) {
                    @Override
                    public void sendHeaders(Metadata sentAlready) {
                        // The interceptor has sent them.
                    }
                },
                headers);
    }
}
