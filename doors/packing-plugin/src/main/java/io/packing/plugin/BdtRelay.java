// SPDX-License-Identifier: Apache-2.0
package io.packing.plugin;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.packing.bdt.BdtMethods;
import org.jspecify.annotations.Nullable;

/**
 * The BDT protocol on Alluxio's gRPC server: every call goes on, byte for byte, to a server on loopback. Alluxio's gRPC
 * and ours are different versions in different packages, so messages cannot be shared, but their bytes can.
 * Thread-safe.
 */
final class BdtRelay {
    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    private @Nullable ManagedChannel channel;
    private String reason = "the BDT master in Alluxio's master has not started";

    /** Relays to the server at a port of this machine from now on. */
    void connect(int port) {
        connect(ManagedChannelBuilder.forAddress("127.0.0.1", port)
                .usePlaintext()
                .directExecutor()
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .build());
    }

    synchronized void connect(ManagedChannel to) {
        unavailable("");
        channel = to;
    }

    /** Answers every call with a reason from now on. */
    synchronized void unavailable(String why) {
        ManagedChannel before = channel;
        channel = null;
        reason = why;
        if (before != null) {
            // Clients whose streams end connect again, wherever the master is then.
            before.shutdownNow();
        }
    }

    /** Returns the service; a call goes to the server that is connected then. */
    ServerServiceDefinition service() {
        ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(BdtMethods.SERVICE);
        for (String name : BdtMethods.NAMES) {
            service.addMethod(method(name), handler());
        }
        return service.build();
    }

    /** Streams both ways: a call with one message each way is the shortest of them. */
    private static MethodDescriptor<byte[], byte[]> method(String name) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(BdtMethods.SERVICE, name))
                .setRequestMarshaller(new AlluxioByteMarshaller())
                .setResponseMarshaller(new AlluxioByteMarshaller())
                .build();
    }

    private ServerCallHandler<byte[], byte[]> handler() {
        return (call, headers) -> {
            Channel to = target();
            return to == null ? refuse(call) : RelayedCall.start(call, headers, to);
        };
    }

    private synchronized @Nullable Channel target() {
        return channel;
    }

    private synchronized ServerCall.Listener<byte[]> refuse(ServerCall<byte[], byte[]> call) {
        call.close(Status.UNAVAILABLE.withDescription(reason), new Metadata());
        return new ServerCall.Listener<>() {};
    }
}
