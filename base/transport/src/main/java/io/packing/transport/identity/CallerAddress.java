// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.identity;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;

/** The address from which a call comes. */
public final class CallerAddress {
    private static final Context.Key<InetAddress> CALLER = Context.key("packing caller's address");

    private CallerAddress() {}

    /** Returns an interceptor that lets handlers find {@link #current}. */
    public static ServerInterceptor inContext() {
        return new ServerInterceptor() {
            @Override
            public <Q, A> ServerCall.Listener<Q> interceptCall(
                    ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
                SocketAddress from = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
                return from instanceof InetSocketAddress at && at.getAddress() != null
                        ? Contexts.interceptCall(
                                Context.current().withValue(CALLER, at.getAddress()), call, headers, next)
                        : next.startCall(call, headers);
            }
        };
    }

    /** Returns the address of the current call's caller; empty when the call did not come over a network. */
    public static Optional<InetAddress> current() {
        return Optional.ofNullable(CALLER.get());
    }

    /** Returns the address of the machine at the other end, in HDFS' form: {@code /10.0.0.1}. */
    public static String of(ServerCall<?, ?> call) {
        SocketAddress from = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        return from instanceof InetSocketAddress at && at.getAddress() != null
                ? "/" + at.getAddress().getHostAddress()
                : String.valueOf(from);
    }
}
