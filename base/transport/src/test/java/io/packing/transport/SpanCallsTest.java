// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.packing.spans.CurrentSpan;
import io.packing.spans.SpanContext;
import io.packing.spans.Spans;
import io.packing.transport.identity.MethodRoles;
import io.packing.transport.identity.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of a server's use of the span of its caller. */
final class SpanCallsTest {
    private static final ConnectionOptions SETTINGS =
            new ConnectionOptions(1 << 20, Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30));
    private static final String CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final MethodDescriptor<StringValue, StringValue> SPAN =
            MethodDescriptor.<StringValue, StringValue>newBuilder()
                    .setType(MethodDescriptor.MethodType.UNARY)
                    .setFullMethodName("test.Spans/Span")
                    .setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
                    .setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
                    .build();
    private static final MethodRoles RIGHTS = MethodRoles.of(
            ServiceDescriptor.newBuilder("test.Spans").addMethod(SPAN).build(), Map.of("Span", Role.CLIENT));

    private RpcServer server;
    private ManagedChannel channel;

    /** Answers with the span in which it runs. */
    private static void span(StringValue request, StreamObserver<StringValue> reply) {
        reply.onNext(StringValue.of(CurrentSpan.get().context().toHeader()));
        reply.onCompleted();
    }

    @BeforeEach
    void start() throws IOException {
        ServerServiceDefinition service = ServerServiceDefinition.builder("test.Spans")
                .addMethod(SPAN, ServerCalls.asyncUnaryCall(SpanCallsTest::span))
                .build();
        server = new RpcServerBuilder("127.0.0.1", 0, 1_000, AccessControl.open(RIGHTS))
                // One thread, so that the next call would see a span that a call leaves behind.
                .threads("one", 1)
                .service(ServerInterceptors.intercept(service, SpanCalls.ofServers(Spans.NONE)))
                .start();
        channel = Channels.open("127.0.0.1:" + server.port(), SETTINGS);
    }

    @AfterEach
    void end() {
        channel.shutdownNow();
        server.close();
    }

    private String servedIn(String header) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("traceparent", Metadata.ASCII_STRING_MARSHALLER), header);
        return ClientCalls.blockingUnaryCall(
                        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers)),
                        SPAN,
                        CallOptions.DEFAULT,
                        StringValue.of(""))
                .getValue();
    }

    @Test
    void aCallIsServedInTheSpanOfItsCallerAndInNoOther() {
        assertThat(servedIn(CALLER)).isEqualTo(CALLER);
        assertThat(ClientCalls.blockingUnaryCall(channel, SPAN, CallOptions.DEFAULT, StringValue.of(""))
                        .getValue())
                .isEqualTo(SpanContext.NONE.toHeader());
    }

    @Test
    void aCallWithAHostileContextIsServedInNoSpan() {
        for (String hostile : List.of(
                "",
                "00",
                "x".repeat(4_000),
                CALLER.replace("-01", "-00"),
                CALLER.replace("0af7651916cd43dd8448eb211c80319c", "0".repeat(32)),
                CALLER + CALLER,
                "ff" + CALLER.substring(2))) {
            assertThat(servedIn(hostile)).as(hostile).isEqualTo(SpanContext.NONE.toHeader());
        }
    }
}
