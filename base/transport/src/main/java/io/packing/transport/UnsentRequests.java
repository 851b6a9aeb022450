// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An interceptor that gives up the rest of a request when its call has ended. A server that refuses a call early takes
 * no more of its request. gRPC would keep the rest for as long as the connection lives, since the client has completed
 * the request.
 */
final class UnsentRequests implements ClientInterceptor {
    /** gRPC always sends this much, no matter whether the server takes it. */
    private static final int ALWAYS_SENT_BYTES = 32 << 10;

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        Sent sent = new Sent();
        return new SimpleForwardingClientCall<>(next.newCall(method, options.withStreamTracerFactory(sent))) {
            @Override
            public void start(Listener<A> listener, Metadata headers) {
                ClientCall<Q, A> call = delegate();
                super.start(
                        new SimpleForwardingClientCallListener<>(listener) {
                            @Override
                            public void onClose(Status status, Metadata trailers) {
                                // A server that answered a request of one message has taken it whole.
                                boolean taken =
                                        status.isOk() && method.getType().clientSendsOneMessage();
                                if (!taken && sent.bytes.get() > ALWAYS_SENT_BYTES) {
                                    call.cancel("the call has ended", null);
                                }
                                super.onClose(status, trailers);
                            }
                        },
                        headers);
            }
        };
    }

    /** A counter of the bytes that a call was given to send, in all of its attempts. */
    private static final class Sent extends ClientStreamTracer.Factory {
        private final AtomicLong bytes = new AtomicLong();

        @Override
        public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
            return new ClientStreamTracer() {
                @Override
                public void outboundWireSize(long more) {
                    long unused = bytes.addAndGet(more);
                }
            };
        }
    }
}
