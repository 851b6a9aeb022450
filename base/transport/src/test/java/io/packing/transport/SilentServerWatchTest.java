// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.BytesValue;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of a watch over servers that owe answers, which does not run while none does. */
final class SilentServerWatchTest {
    private static final MethodDescriptor<BytesValue, BytesValue> ASKING =
            MethodDescriptor.<BytesValue, BytesValue>newBuilder()
                    .setType(MethodType.BIDI_STREAMING)
                    .setFullMethodName(MethodDescriptor.generateFullMethodName("test.Server", "Ask"))
                    .setRequestMarshaller(ProtoUtils.marshaller(BytesValue.getDefaultInstance()))
                    .setResponseMarshaller(ProtoUtils.marshaller(BytesValue.getDefaultInstance()))
                    .build();

    private final StoppedTimer timer = new StoppedTimer();
    private long nanos;
    private SilentServerWatch watch = new SilentServerWatch(timer, () -> nanos);
    private int looks;

    @BeforeEach
    void count() {
        watch.add(() -> looks++);
    }

    @AfterEach
    void end() {
        timer.shutdownNow();
    }

    /** A timer that runs its tasks when the test asks for it. */
    private static final class StoppedTimer extends ScheduledThreadPoolExecutor {
        private final Deque<Runnable> tasks = new ArrayDeque<>();

        StoppedTimer() {
            super(0);
        }

        @Override
        public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
            if (isShutdown()) {
                throw new RejectedExecutionException("shut down");
            }
            tasks.add(task);
            // The future of a task that never runs.
            return super.schedule(() -> {}, 1, TimeUnit.DAYS);
        }

        /** Runs the next task, if it has one. */
        void next() {
            Runnable task = tasks.poll();
            if (task != null) {
                task.run();
            }
        }
    }

    /** A server that answers when a test asks for it. */
    private static final class Server extends Channel {
        private ClientCall.Listener<Object> listener = new ClientCall.Listener<>() {};

        @Override
        public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
            return new ClientCall<>() {
                @Override
                @SuppressWarnings("unchecked")
                public void start(Listener<A> answers, Metadata headers) {
                    listener = (Listener<Object>) answers;
                }

                @Override
                public void sendMessage(Q message) {}

                @Override
                public void request(int numMessages) {}

                @Override
                public void halfClose() {}

                @Override
                public void cancel(@Nullable String message, @Nullable Throwable cause) {
                    listener.onClose(Status.CANCELLED, new Metadata());
                }
            };
        }

        @Override
        public String authority() {
            return "server";
        }
    }

    private static ClientCall<BytesValue, BytesValue> call(SilenceDetector silence, Server server) {
        ClientCall<BytesValue, BytesValue> call = silence.interceptCall(ASKING, CallOptions.DEFAULT, server);
        call.start(new ClientCall.Listener<>() {}, new Metadata());
        return call;
    }

    private static void ask(ClientCall<BytesValue, BytesValue> call) {
        call.sendMessage(BytesValue.getDefaultInstance());
    }

    @Test
    void aServerThatOwesAnswersIsLookedAfterUntilItHasGivenThem() {
        Server server = new Server();
        SilenceDetector silence = watch.silence();
        ClientCall<BytesValue, BytesValue> call = call(silence, server);
        assertThat(timer.tasks).isEmpty();
        ask(call);
        ask(call);
        assertThat(timer.tasks).hasSize(1);
        timer.next();
        server.listener.onMessage(BytesValue.getDefaultInstance());
        timer.next();
        assertThat(looks).isEqualTo(2);
        server.listener.onMessage(BytesValue.getDefaultInstance());
        // The scheduled check finds no server that owes answers.
        timer.next();
        assertThat(looks).isEqualTo(3);
        assertThat(timer.tasks).isEmpty();
        ask(call);
        assertThat(timer.tasks).hasSize(1);
    }

    @Test
    void callsThatEndOweNothing() {
        Server ends = new Server();
        Server silent = new Server();
        SilenceDetector first = watch.silence();
        SilenceDetector second = watch.silence();
        ask(call(first, ends));
        ask(call(second, silent));
        assertThat(timer.tasks).hasSize(1);
        ends.listener.onClose(Status.OK, new Metadata());
        timer.next();
        assertThat(timer.tasks).hasSize(1);
        nanos += Duration.ofSeconds(2).toNanos();
        assertThat(first.isLongerThan(Duration.ofSeconds(1))).isFalse();
        assertThat(second.isLongerThan(Duration.ofSeconds(1))).isTrue();
        second.end("silent");
        timer.next();
        assertThat(timer.tasks).isEmpty();
    }

    /** The server ends a stream at the moment when the client sends the next message on it. */
    @Test
    void whatIsSentOnACallThatHasEndedIsNotOwed() {
        Server server = new Server();
        SilenceDetector silence = watch.silence();
        ClientCall<BytesValue, BytesValue> call = call(silence, server);
        ask(call);
        server.listener.onClose(Status.UNAVAILABLE, new Metadata());
        ask(call);
        nanos += Duration.ofSeconds(2).toNanos();
        assertThat(silence.isLongerThan(Duration.ofSeconds(1))).isFalse();
        timer.next();
        assertThat(timer.tasks).isEmpty();
    }

    @Test
    void aLookThatFailsIsRepeatedAndKeepsNoOtherFromItsWork() {
        watch = new SilentServerWatch(timer, () -> nanos);
        watch.add(() -> {
            throw new IllegalStateException("for this test");
        });
        count();
        ask(call(watch.silence(), new Server()));
        timer.next();
        timer.next();
        assertThat(looks).isEqualTo(2);
        assertThat(timer.tasks).hasSize(1);
    }

    @Test
    void callsGoOnWhileTheChannelsAreClosed() {
        Server server = new Server();
        ClientCall<BytesValue, BytesValue> call = call(watch.silence(), server);
        timer.shutdownNow();
        ask(call);
        server.listener.onMessage(BytesValue.getDefaultInstance());
        assertThat(timer.tasks).isEmpty();
    }
}
