package io.packing.transport;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.Status;

/**
 * The memory outside of the heap, which buffers of connections and of files take. Where there is none for a buffer, nothing was done,
 * and others give theirs back: it is worth another try, while an error would end the thread.
 */
public final class DirectMemory {
    private DirectMemory() {}

    /** Whether an error says that there is none, and not that the heap is full. */
    public static boolean isExhausted(OutOfMemoryError error) {
        String message = String.valueOf(error.getMessage());
        // Of the JVM, and of netty, which counts for itself.
        return message.contains("direct buffer memory") || message.contains("of direct memory");
    }

    /** A request for which there is none fails its call with {@code UNAVAILABLE}, as one does that cannot be sent for another reason. */
    static ClientInterceptor ofClients() {
        return new OfClients();
    }

    private static final class OfClients implements ClientInterceptor {
        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void sendMessage(Q message) {
                    try {
                        super.sendMessage(message);
                    } catch (OutOfMemoryError e) {
                        if (!isExhausted(e)) {
                            throw e;
                        }
                        throw Status.UNAVAILABLE
                                .withDescription("there is no memory outside of the heap for a request")
                                .withCause(e)
                                .asRuntimeException();
                    }
                }
            };
        }
    }
}
