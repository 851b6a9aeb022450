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

/** Makes calls, orderly and disorderly ones, and tells how they ended. Thread-safe. */
public final class Caller {
    /** How the caller behaves. */
    public enum Manner {
        /** Sends everything and says that this is all. */
        ORDERLY,
        /** Sends everything and cancels at once. */
        CANCELS,
        /** Sends nothing and says that this is all. */
        SILENT,
        /** Asks for one answer, then never for another one, and cancels at last. */
        DEAF
    }

    /**
     * The end of a call.
     *
     * @param answers the first ones
     * @param trailers what came with the status
     */
    public record End(Status status, List<byte[]> answers, String trailers) {}

    private static final int SHOWN = 400;
    private static final long DEAF_MILLIS = 50;

    private final long deadlineSeconds;

    public Caller(long deadlineSeconds) {
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
                    // What waits here is memory of the callers, not of the server. gRPC is never ready for only one.
                    if (!rpc.method().getType().clientSendsOneMessage()) {
                        // Of one who takes no answers a server takes no more either.
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
                        // gRPC holds an only message back until then. The server would not see it, and its memory would
                        // be lost.
                        call.halfClose();
                    }
                    call.cancel("as planned", null);
                }
                case DEAF -> {
                    call.halfClose();
                    // Whatever comes, comes soon: the point is what the server does with what nobody takes.
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

    /** Returns the answer that says that the server failed, such as a result of a batch, as text; empty when none does. */
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
        /** One more than none whenever gRPC may have become ready. */
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

        /** Returns when the call takes a message without keeping it for long, or has ended. */
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
