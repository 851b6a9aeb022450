// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.packing.transport.identity.MethodRoles;
import io.packing.transport.identity.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RpcServerTest {
    private static final ConnectionOptions SETTINGS =
            new ConnectionOptions(1 << 20, Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30));
    private static final int MESSAGE_BYTES = 1_000;
    private static final MethodDescriptor<StringValue, StringValue> THREAD = method("Thread", MethodType.UNARY);
    private static final MethodDescriptor<StringValue, StringValue> QUEUE = method("Queue", MethodType.BIDI_STREAMING);
    /** A method whose answer the test releases. */
    private static final MethodDescriptor<StringValue, StringValue> WAIT = method("Wait", MethodType.UNARY);

    private static final MethodRoles RIGHTS = MethodRoles.of(
            ServiceDescriptor.newBuilder("test.Threads")
                    .addMethod(THREAD)
                    .addMethod(QUEUE)
                    .addMethod(WAIT)
                    .build(),
            Map.of("Thread", Role.CLIENT, "Queue", Role.CLIENT, "Wait", Role.CLIENT));

    private final CountDownLatch waiting = new CountDownLatch(1);
    private final CompletableFuture<StringValue> awaited = new CompletableFuture<>();
    private RpcServer server;
    private ManagedChannel channel;

    private static MethodDescriptor<StringValue, StringValue> method(String name, MethodType type) {
        return MethodDescriptor.<StringValue, StringValue>newBuilder()
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName("test.Threads", name))
                .setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
                .setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
                .build();
    }

    private static void threadName(StringValue request, StreamObserver<StringValue> reply) {
        reply.onNext(StringValue.of(Thread.currentThread().getName()));
        reply.onCompleted();
    }

    private static StreamObserver<StringValue> threadNames(StreamObserver<StringValue> replies) {
        return observer(
                request -> replies.onNext(StringValue.of(Thread.currentThread().getName())));
    }

    private static StreamObserver<StringValue> observer(Consumer<StringValue> next) {
        return new StreamObserver<>() {
            @Override
            public void onNext(StringValue value) {
                next.accept(value);
            }

            @Override
            public void onError(Throwable failure) {}

            @Override
            public void onCompleted() {}
        };
    }

    private void await(StringValue request, StreamObserver<StringValue> reply) {
        waiting.countDown();
        CompletableFuture<Void> unused = awaited.thenAccept(answer -> {
            reply.onNext(answer);
            reply.onCompleted();
        });
    }

    @BeforeEach
    void start() throws IOException {
        ServerServiceDefinition service = ServerServiceDefinition.builder("test.Threads")
                .addMethod(THREAD, ServerCalls.asyncUnaryCall(RpcServerTest::threadName))
                .addMethod(QUEUE, ServerCalls.asyncBidiStreamingCall(RpcServerTest::threadNames))
                .addMethod(WAIT, ServerCalls.asyncUnaryCall(this::await))
                .build();
        server = new RpcServerBuilder("127.0.0.1", 0, MESSAGE_BYTES, AccessControl.open(RIGHTS))
                .threads("own", 2)
                .inPlace(QUEUE)
                .service(service)
                .start();
        channel = Channels.open("127.0.0.1:" + server.port(), SETTINGS);
    }

    @AfterEach
    void end() {
        channel.shutdownNow();
        server.close();
    }

    private String call(MethodDescriptor<StringValue, StringValue> method, String request) {
        return ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, StringValue.of(request))
                .getValue();
    }

    private CompletableFuture<String> waitingCall() throws InterruptedException {
        CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> call(WAIT, ""));
        waiting.await();
        return answer;
    }

    @Test
    void callsRunOnThreadsOfTheServer() {
        assertThat(call(THREAD, "")).startsWith("own-");
    }

    /** A call begins on the server's threads all the same, and leaves them when it has nothing to do. */
    @Test
    void messagesOfAMethodInPlaceDoNot() throws InterruptedException {
        BlockingQueue<String> names = new LinkedBlockingQueue<>();
        StreamObserver<StringValue> requests = ClientCalls.asyncBidiStreamingCall(
                channel.newCall(QUEUE, CallOptions.DEFAULT), observer(name -> names.add(name.getValue())));
        String name = "own-";
        for (int i = 0; i < 10_000 && name.startsWith("own-"); i++) {
            requests.onNext(StringValue.getDefaultInstance());
            name = names.take();
        }
        requests.onCompleted();
        assertThat(name).doesNotStartWith("own-");
    }

    @Test
    void aLargerMessageThanTheLargestIsRefused() {
        String largest = "x".repeat(MESSAGE_BYTES - 3);
        assertThat(call(THREAD, largest)).isNotEmpty();
        assertThatThrownBy(() -> call(THREAD, largest + "x")).isInstanceOf(StatusRuntimeException.class);
    }

    @Test
    void aPortThatIsTakenIsNamed() {
        assertThatThrownBy(() -> new RpcServerBuilder(
                                "127.0.0.1", server.port(), MESSAGE_BYTES, AccessControl.open(RIGHTS))
                        .start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("127.0.0.1:" + server.port());
    }

    @Test
    void aStopLetsTheCallsThatItFindsEnd() throws Exception {
        CompletableFuture<String> answer = waitingCall();
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(server::stop);
        assertThat(awaited.complete(StringValue.of("late"))).isTrue();
        assertThat(answer.get()).isEqualTo("late");
        stopped.get();
        server.awaitTermination();
    }

    @Test
    void aStopCutsOffTheCallsThatDoNotEnd() throws Exception {
        CompletableFuture<String> answer = waitingCall();
        server.stop();
        server.awaitTermination();
        assertThatThrownBy(answer::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .satisfies(e -> assertThat(Status.fromThrowable(e).getCode())
                        .isIn(Status.Code.UNAVAILABLE, Status.Code.CANCELLED));
    }
}
