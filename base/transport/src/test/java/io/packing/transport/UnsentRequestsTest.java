// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.BytesValue;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import io.packing.transport.identity.MethodRoles;
import io.packing.transport.identity.Role;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a client does not keep the rest of a request that a server refused. */
@Timeout(120)
final class UnsentRequestsTest {
    private static final int MB = 1 << 20;
    private static final int CALLS = 40;
    private static final ConnectionOptions SETTINGS =
            new ConnectionOptions(MB, Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30));
    private static final MethodDescriptor<BytesValue, BytesValue> REFUSED =
            MethodDescriptor.<BytesValue, BytesValue>newBuilder()
                    .setType(MethodType.UNARY)
                    .setFullMethodName(MethodDescriptor.generateFullMethodName("test.Refusing", "Refuse"))
                    .setRequestMarshaller(ProtoUtils.marshaller(BytesValue.getDefaultInstance()))
                    .setResponseMarshaller(ProtoUtils.marshaller(BytesValue.getDefaultInstance()))
                    .build();

    private final BlockingQueue<ServerCall<BytesValue, BytesValue>> arrived = new LinkedBlockingQueue<>();

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    /** Returns the status of a call that the server ends without taking any of it, when all of it is on its way. */
    private Status refusedCall(ManagedChannel channel, BytesValue request) throws Exception {
        CompletableFuture<Status> end = new CompletableFuture<>();
        ClientCall<BytesValue, BytesValue> call = channel.newCall(REFUSED, CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        end.complete(status);
                    }
                },
                new Metadata());
        call.request(1);
        call.sendMessage(request);
        call.halfClose();
        arrived.take().close(Status.RESOURCE_EXHAUSTED, new Metadata());
        return end.get();
    }

    @Test
    void whatIsLeftOfARefusedRequestIsGivenUp() throws Exception {
        ServerServiceDefinition service = ServerServiceDefinition.builder("test.Refusing")
                .addMethod(REFUSED, (call, headers) -> {
                    arrived.add(call);
                    return new ServerCall.Listener<>() {};
                })
                .build();
        MethodRoles rights = MethodRoles.of(
                ServiceDescriptor.newBuilder("test.Refusing").addMethod(REFUSED).build(),
                Map.of("Refuse", Role.CLIENT));
        BytesValue request = BytesValue.of(UnsafeByteOperations.unsafeWrap(new byte[8 * MB]));
        try (RpcServer server = new RpcServerBuilder("127.0.0.1", 0, 16 * MB, AccessControl.open(rights))
                .service(service)
                .start()) {
            ManagedChannel channel = Channels.open("127.0.0.1:" + server.port(), SETTINGS);
            try {
                long before = directBytes();
                for (int i = 0; i < CALLS; i++) {
                    assertThat(refusedCall(channel, request).getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
                }
                assertThat(directBytes() - before)
                        .as("kept, of %d MB that were refused", 8 * CALLS)
                        .isLessThan(8L * CALLS * MB / 2);
            } finally {
                channel.shutdownNow();
            }
        }
    }
}
