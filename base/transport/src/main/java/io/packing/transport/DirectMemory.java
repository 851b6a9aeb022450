// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.Status;

/**
 * The memory outside of the heap, which holds the buffers of connections and files. When it is exhausted, a failed
 * allocation has done no harm and other buffers will be freed. So the caller should try again instead of losing its
 * thread to the error.
 */
public final class DirectMemory {
    private DirectMemory() {}

    /** Returns whether an error means that this memory is exhausted, and not the heap. */
    public static boolean isExhausted(OutOfMemoryError error) {
        String message = String.valueOf(error.getMessage());
        // The first text is the JVM's, the second is netty's, which counts for itself.
        return message.contains("direct buffer memory") || message.contains("of direct memory");
    }

    /**
     * Returns an interceptor that fails a call with {@code UNAVAILABLE} when this memory cannot hold its request, as
     * for other requests that cannot be sent.
     */
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
