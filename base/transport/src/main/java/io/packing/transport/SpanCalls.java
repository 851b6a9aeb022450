// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.packing.spans.CurrentSpan;
import io.packing.spans.Span;
import io.packing.spans.SpanContext;
import io.packing.spans.Spans;
import java.util.Locale;
import java.util.Optional;

/**
 * The spans of calls between processes, whose context is {@code traceparent} among the metadata. A stream that carries
 * the work of many callers has no span; its messages bring contexts.
 */
public final class SpanCalls {
    private static final Metadata.Key<String> PARENT = Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER);

    private SpanCalls() {}

    private static boolean isOneCallers(MethodDescriptor<?, ?> method) {
        return method.getType() != MethodDescriptor.MethodType.BIDI_STREAMING;
    }

    private static String name(MethodDescriptor<?, ?> method) {
        return Optional.ofNullable(method.getBareMethodName()).orElse("call").toLowerCase(Locale.ROOT);
    }

    /** Returns an interceptor that passes the current recorded span to the server with each call. */
    static ClientInterceptor ofClients() {
        return new OfClients();
    }

    /**
     * Returns an interceptor that serves each call in the span of its caller. It does nothing for a call without a
     * context.
     *
     * @param spans begins a span for each call that its caller samples
     */
    public static ServerInterceptor ofServers(Spans spans) {
        return new OfServers(spans);
    }

    private static void end(Span span, Status status) {
        if (!status.isOk()) {
            span.failed(status.getCode().name());
        }
        span.close();
    }

    private static final class OfClients implements ClientInterceptor {
        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            Span current = CurrentSpan.get();
            if (!current.isRecorded() || !isOneCallers(method)) {
                return next.newCall(method, options);
            }
            Span span = current.child(name(method), Span.Kind.CLIENT);
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void start(Listener<A> listener, Metadata headers) {
                    headers.put(PARENT, span.context().toHeader());
                    super.start(
                            new SimpleForwardingClientCallListener<>(listener) {
                                @Override
                                public void onClose(Status status, Metadata trailers) {
                                    end(span, status);
                                    super.onClose(status, trailers);
                                }
                            },
                            headers);
                }
            };
        }
    }

    private static final class OfServers implements ServerInterceptor {
        private final Spans spans;

        private OfServers(Spans spans) {
            this.spans = spans;
        }

        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            String parent = headers.get(PARENT);
            if (parent == null || !isOneCallers(call.getMethodDescriptor())) {
                return next.startCall(call, headers);
            }
            SpanContext caller = SpanContext.ofHeader(parent);
            if (!caller.sampled()) {
                return next.startCall(call, headers);
            }
            Span own = spans.serve(name(call.getMethodDescriptor()), caller);
            Span span = own.isRecorded() ? own : Span.elsewhere(caller);
            ServerCall<Q, A> ending = new SimpleForwardingServerCall<>(call) {
                @Override
                public void close(Status status, Metadata trailers) {
                    end(own, status);
                    super.close(status, trailers);
                }
            };
            try (CurrentSpan.Bound bound = CurrentSpan.bind(span)) {
                return new InSpan<>(next.startCall(ending, headers), span);
            }
        }
    }

    /** A listener that runs a call's handler in the call's span. */
    private static final class InSpan<Q> extends SimpleForwardingServerCallListener<Q> {
        private final Span span;

        private InSpan(ServerCall.Listener<Q> listener, Span span) {
            super(listener);
            this.span = span;
        }

        @Override
        public void onMessage(Q message) {
            try (CurrentSpan.Bound bound = CurrentSpan.bind(span)) {
                super.onMessage(message);
            }
        }

        @Override
        public void onHalfClose() {
            try (CurrentSpan.Bound bound = CurrentSpan.bind(span)) {
                super.onHalfClose();
            }
        }

        @Override
        public void onCancel() {
            end(span, Status.CANCELLED);
            super.onCancel();
        }
    }
}
