// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.calls;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A maker of orderly and disorderly calls, which reports their ends. Thread-safe. */
public final class CallMaker {
    /** The manner of a caller. */
    public enum Manner {
        /** Sends all messages and ends the stream. */
        ORDERLY,
        /** Sends all messages and cancels at once. */
        CANCELS,
        /** Sends nothing and ends the stream. */
        SILENT,
        /** Requests one answer and then no more, and cancels at last. */
        DEAF
    }

    /**
     * The end of a call.
     *
     * @param answers the first ones
     * @param trailers with the status
     */
    public record End(Status status, List<byte[]> answers, String trailers) {}

    private static final int SHOWN = 400;
    private static final long DEAF_MILLIS = 50;

    private final long deadlineSeconds;

    public CallMaker(long deadlineSeconds) {
        this.deadlineSeconds = deadlineSeconds;
    }

    public End call(Rpc rpc, List<byte[]> messages, Manner manner) throws InterruptedException {
        ClientCall<byte[], byte[]> call = rpc.channel()
                .newCall(
                        rpc.method(),
                        CallOptions.DEFAULT
                                .withDeadlineAfter(deadlineSeconds, TimeUnit.SECONDS)
                                .withMaxInboundMessageSize(64 << 20));
        Answers answers = new Answers(call, manner);
        call.start(answers, new Metadata());
        call.request(1);
        try {
            if (manner != Manner.SILENT) {
                for (byte[] message : messages) {
                    // Waiting messages are the caller's memory, not the server's. gRPC is never ready for a method with
                    // a single message.
                    if (!rpc.method().getType().clientSendsOneMessage()) {
                        // A server takes no more from a caller that takes no answers.
                        answers.awaitReady(
                                manner == Manner.DEAF ? DEAF_MILLIS : TimeUnit.SECONDS.toMillis(deadlineSeconds));
                    }
                    call.sendMessage(message);
                }
            }
            switch (manner) {
                case ORDERLY, SILENT -> call.halfClose();
                case CANCELS -> {
                    if (rpc.method().getType().clientSendsOneMessage()) {
                        // gRPC holds a single message back until the stream ends. Without the end the server would not
                        // see the message, and its memory would be lost.
                        call.halfClose();
                    }
                    call.cancel("as planned", null);
                }
                case DEAF -> {
                    call.halfClose();
                    // A first answer comes soon: the point is how the server handles answers that the caller does not
                    // take.
                    Status early = answers.within(DEAF_MILLIS);
                    if (early == null) {
                        call.cancel("as planned", null);
                    }
                }
            }
        } catch (IllegalStateException endedMeanwhile) {
            call.cancel("as planned", endedMeanwhile);
        }
        Status status = answers.within(TimeUnit.SECONDS.toMillis(deadlineSeconds + 10));
        return new End(
                status == null ? Status.DEADLINE_EXCEEDED.withDescription("no end, not even by the deadline") : status,
                answers.taken(),
                answers.trailers());
    }

    /**
     * Returns the first answer that reports a failure of the server, such as a result of a batch, as text; empty
     * without one.
     */
    public static Optional<String> failure(Rpc rpc, List<byte[]> answers) {
        for (byte[] answer : answers) {
            try {
                String text = DynamicMessage.parseFrom(rpc.output(), answer).toString();
                int at = text.indexOf("answer: FAILED");
                if (at >= 0) {
                    return Optional.of(text.substring(at, Math.min(text.length(), at + SHOWN)));
                }
            } catch (InvalidProtocolBufferException e) {
                return Optional.of("no message: " + e);
            }
        }
        return Optional.empty();
    }

    private static final class Answers extends ClientCall.Listener<byte[]> {
        private final ClientCall<byte[], byte[]> call;
        private final Manner manner;
        private final List<byte[]> taken = new ArrayList<>();
        private final CompletableFuture<Status> end = new CompletableFuture<>();
        private volatile String trailers = "";
        /** The permits: one more whenever gRPC may have become ready. */
        private final Semaphore readiness = new Semaphore(0);

        Answers(ClientCall<byte[], byte[]> call, Manner manner) {
            this.call = call;
            this.manner = manner;
        }

        @Override
        public void onMessage(byte[] message) {
            synchronized (taken) {
                if (taken.size() < 16) {
                    taken.add(message);
                }
            }
            if (manner != Manner.DEAF) {
                call.request(1);
            }
        }

        @Override
        public void onReady() {
            readiness.release();
        }

        @Override
        public void onClose(Status status, Metadata last) {
            trailers = text(last);
            end.complete(status);
            readiness.release();
        }

        private static String text(Metadata last) {
            StringBuilder text = new StringBuilder();
            for (String key : last.keys()) {
                if (key.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
                    byte[] value = last.get(Metadata.Key.of(key, Metadata.BINARY_BYTE_MARSHALLER));
                    text.append(key)
                            .append(new String(Objects.requireNonNull(value), StandardCharsets.ISO_8859_1))
                            .append('\n');
                } else {
                    text.append(key)
                            .append(last.get(Metadata.Key.of(key, Metadata.ASCII_STRING_MARSHALLER)))
                            .append('\n');
                }
            }
            return text.toString();
        }

        String trailers() {
            return trailers;
        }

        /** Waits until the call takes a message without keeping it for long, or has ended. */
        void awaitReady(long millis) throws InterruptedException {
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            long left = deadline - System.nanoTime();
            while (!call.isReady() && !end.isDone() && left > 0) {
                boolean unused = readiness.tryAcquire(left, TimeUnit.NANOSECONDS);
                left = deadline - System.nanoTime();
            }
        }

        List<byte[]> taken() {
            synchronized (taken) {
                return List.copyOf(taken);
            }
        }

        @Nullable
        Status within(long millis) throws InterruptedException {
            try {
                return end.get(millis, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                return null;
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
