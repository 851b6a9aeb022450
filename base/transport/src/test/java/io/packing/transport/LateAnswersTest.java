// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.packing.transport.identity.MethodRoles;
import io.packing.transport.identity.Role;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of answers to a call that gRPC has ended by itself, before its handler knows. */
@Timeout(120)
final class LateAnswersTest {
    private static final ConnectionOptions SETTINGS =
            new ConnectionOptions(1 << 20, Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30));
    private static final int MOST_BYTES = 1_000;
    private static final int CALLS = 200;
    private static final MethodDescriptor<StringValue, StringValue> WRITE =
            MethodDescriptor.<StringValue, StringValue>newBuilder()
                    .setType(MethodType.BIDI_STREAMING)
                    .setFullMethodName("test.Late/Write")
                    .setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
                    .setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
                    .build();
    private static final MethodRoles RIGHTS = MethodRoles.of(
            ServiceDescriptor.newBuilder("test.Late").addMethod(WRITE).build(), Map.of("Write", Role.CLIENT));

    /** Answers the first message as soon as the call is over. */
    private static StreamObserver<StringValue> late(StreamObserver<StringValue> replies) {
        Context.current().addListener(over -> answer(replies), Runnable::run);
        return new StreamObserver<>() {
            @Override
            public void onNext(StringValue value) {}

            @Override
            public void onError(Throwable failure) {}

            @Override
            public void onCompleted() {
                replies.onCompleted();
            }
        };
    }

    private static void answer(StreamObserver<StringValue> replies) {
        try {
            replies.onNext(StringValue.of("late"));
        } catch (RuntimeException e) {
            // The handler knows the end already.
        }
    }

    /** Sends a message that is too large, and does not complete the request. */
    private static Status end(ManagedChannel channel) {
        CompletableFuture<Status> end = new CompletableFuture<>();
        ClientCall<StringValue, StringValue> call = channel.newCall(WRITE, CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        end.complete(status);
                    }
                },
                new Metadata());
        call.request(1);
        call.sendMessage(StringValue.of("small"));
        call.sendMessage(StringValue.of("x".repeat(2 * MOST_BYTES)));
        return end.join();
    }

    @Test
    void anAnswerToACallWithATooLargeMessageDoesNotEndTheConnection() throws Exception {
        ServerServiceDefinition service = ServerServiceDefinition.builder("test.Late")
                .addMethod(WRITE, ServerCalls.asyncBidiStreamingCall(LateAnswersTest::late))
                .build();
        RpcServer server = new RpcServerBuilder("127.0.0.1", 0, MOST_BYTES, AccessControl.open(RIGHTS))
                .service(service)
                .start();
        ManagedChannel channel = Channels.open("127.0.0.1:" + server.port(), SETTINGS);
        try {
            for (int i = 0; i < CALLS; i++) {
                Status end = end(channel);
                assertThat(end.getCode())
                        .as(end.toString())
                        .isIn(Status.Code.RESOURCE_EXHAUSTED, Status.Code.CANCELLED, Status.Code.UNKNOWN);
            }
        } finally {
            channel.shutdownNow();
            server.close();
        }
    }
}
