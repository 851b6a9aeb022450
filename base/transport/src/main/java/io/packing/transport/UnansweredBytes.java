package io.packing.transport;

import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The messages of one call that count as in flight. Thread-safe. */
final class UnansweredBytes {
    private final MethodType type;
    private final BytesInFlight.@Nullable Share share;
    private final Deque<Integer> messages = new ArrayDeque<>();

    /** @param share absent in a server that does not count */
    UnansweredBytes(MethodType type, BytesInFlight.@Nullable Share share) {
        this.type = type;
        this.share = share;
    }

    void whenTooMany(Consumer<Status> how) {
        if (share != null) {
            share.whenTooMany(how);
        }
    }

    /** The handler gets a message. */
    void arrived(int bytes) {
        synchronized (messages) {
            messages.add(bytes);
        }
        handling();
    }

    /** The handler has taken the newest: what has one answer for all messages keeps none of them. */
    void taken() {
        handled();
        if (type == MethodType.CLIENT_STREAMING) {
            release();
        }
    }

    /** The handler learns that it has all messages. */
    void complete() {
        handling();
    }

    /** It knows: a handler of one message has it until its answer; any other one may be ended while it answers. */
    void completed() {
        if (type != MethodType.UNARY) {
            handled();
        }
    }

    private void handling() {
        if (share != null) {
            share.handling();
        }
    }

    private void handled() {
        if (share != null) {
            share.handled();
        }
    }

    /**
     * An answer was sent: a stream of batches has one for each message, and a call with one answer needs its request no more, however
     * long the client takes to read that.
     */
    void answered() {
        if (type == MethodType.BIDI_STREAMING || type == MethodType.UNARY) {
            release();
        }
    }

    private void release() {
        Integer done;
        synchronized (messages) {
            done = messages.poll();
        }
        if (done != null && share != null) {
            share.release(done);
        }
    }
}
