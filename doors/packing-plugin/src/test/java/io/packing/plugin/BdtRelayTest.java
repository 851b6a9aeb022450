// SPDX-License-Identifier: Apache-2.0
package io.packing.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.BdtMethods;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client, a server that relays, and one that answers, all with Alluxio's gRPC. */
class BdtRelayTest {
    private final BdtRelay relay = new BdtRelay();
    private final CompletableFuture<String> cancelled = new CompletableFuture<>();
    private Server back;
    private Server front;
    private ManagedChannel client;

    @BeforeEach
    void start() throws IOException {
        back = InProcessServerBuilder.forName("back").addService(echo()).build().start();
        front = InProcessServerBuilder.forName("front")
                .addService(relay.service())
                .build()
                .start();
        client = InProcessChannelBuilder.forName("front").build();
    }

    @AfterEach
    void stop() {
        relay.unavailable("over");
        client.shutdownNow();
        front.shutdownNow();
        back.shutdownNow();
    }

    private ServerServiceDefinition echo() {
        return ServerServiceDefinition.builder(BdtMethods.SERVICE)
                .addMethod(
                        method("Stat", MethodDescriptor.MethodType.UNARY),
                        ServerCalls.asyncUnaryCall((request, answer) -> {
                            if (request.length == 0) {
                                answer.onError(Status.NOT_FOUND
                                        .withDescription("no path")
                                        .asRuntimeException());
                            } else {
                                answer.onNext(request);
                                answer.onCompleted();
                            }
                        }))
                .addMethod(
                        method("Claims", MethodDescriptor.MethodType.BIDI_STREAMING),
                        ServerCalls.asyncBidiStreamingCall(Echo::new))
                .build();
    }

    /** Sends back each message. */
    private final class Echo implements StreamObserver<byte[]> {
        private final StreamObserver<byte[]> answers;

        Echo(StreamObserver<byte[]> answers) {
            this.answers = answers;
        }

        @Override
        public void onNext(byte[] value) {
            answers.onNext(value);
        }

        @Override
        public void onError(Throwable cause) {
            cancelled.complete(String.valueOf(cause.getMessage()));
        }

        @Override
        public void onCompleted() {
            answers.onCompleted();
        }
    }

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodDescriptor.MethodType type) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(BdtMethods.SERVICE, name))
                .setRequestMarshaller(new AlluxioByteMarshaller())
                .setResponseMarshaller(new AlluxioByteMarshaller())
                .build();
    }

    private byte[] stat(byte[] request) {
        return ClientCalls.blockingUnaryCall(
                client, method("Stat", MethodDescriptor.MethodType.UNARY), CallOptions.DEFAULT, request);
    }

    private void connect() {
        relay.connect(InProcessChannelBuilder.forName("back").build());
    }

    @Test
    void callsAndTheirErrorsPassThrough() {
        connect();
        byte[] bytes = "a path".getBytes(StandardCharsets.UTF_8);
        assertThat(stat(bytes)).isEqualTo(bytes);
        assertThatThrownBy(() -> stat(new byte[0]))
                .isInstanceOf(StatusRuntimeException.class)
                .hasMessage("NOT_FOUND: no path");
    }

    @Test
    void streamsKeepTheirOrderAndEnd() throws ExecutionException, InterruptedException {
        connect();
        Collected collected = new Collected();
        StreamObserver<byte[]> requests = claims(collected);
        for (int i = 0; i < 2_000; i++) {
            requests.onNext(Integer.toString(i).getBytes(StandardCharsets.US_ASCII));
        }
        requests.onCompleted();
        List<String> answers = collected.done.get();
        assertThat(answers).hasSize(2_000);
        for (int i = 0; i < 2_000; i++) {
            assertThat(answers.get(i)).isEqualTo(Integer.toString(i));
        }
    }

    @Test
    void cancelledStreamsAreCancelledBehindTheRelay() throws ExecutionException, InterruptedException {
        connect();
        Collected collected = new Collected();
        StreamObserver<byte[]> requests = claims(collected);
        requests.onNext(new byte[] {'1'});
        assertThat(collected.first.get()).isEqualTo("1");
        requests.onError(Status.CANCELLED.asRuntimeException());
        assertThat(cancelled.get()).contains("cancelled");
    }

    @Test
    void reasonIsToldWhileThereIsNoMasterAndStreamsEndWhenItGoes() throws ExecutionException, InterruptedException {
        relay.unavailable("not primary");
        assertThatThrownBy(() -> stat(new byte[] {1})).hasMessage("UNAVAILABLE: not primary");
        connect();
        Collected collected = new Collected();
        StreamObserver<byte[]> requests = claims(collected);
        requests.onNext(new byte[] {'1'});
        assertThat(collected.first.get()).isEqualTo("1");
        relay.unavailable("not primary any more");
        assertThatThrownBy(collected.done::get).hasMessageContaining("UNAVAILABLE");
    }

    private StreamObserver<byte[]> claims(Collected collected) {
        return ClientCalls.asyncBidiStreamingCall(
                client.newCall(method("Claims", MethodDescriptor.MethodType.BIDI_STREAMING), CallOptions.DEFAULT),
                collected);
    }

    /** The answers of a stream, complete at its end. */
    private static final class Collected implements StreamObserver<byte[]> {
        final List<String> answers = new CopyOnWriteArrayList<>();
        final CompletableFuture<String> first = new CompletableFuture<>();
        final CompletableFuture<List<String>> done = new CompletableFuture<>();

        @Override
        public void onNext(byte[] value) {
            String answer = new String(value, StandardCharsets.US_ASCII);
            answers.add(answer);
            first.complete(answer);
        }

        @Override
        public void onError(Throwable cause) {
            done.completeExceptionally(cause);
        }

        @Override
        public void onCompleted() {
            done.complete(List.copyOf(answers));
        }
    }
}
