// SPDX-License-Identifier: Apache-2.0
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

    /**
     * Creates an empty list.
     *
     * @param share absent in a server that does not count
     */
    UnansweredBytes(MethodType type, BytesInFlight.@Nullable Share share) {
        this.type = type;
        this.share = share;
    }

    void whenTooMany(Consumer<Status> how) {
        if (share != null) {
            share.whenTooMany(how);
        }
    }

    /** Notes that the handler gets a message. */
    void arrived(int bytes) {
        synchronized (messages) {
            messages.add(bytes);
        }
        handling();
    }

    /**
     * Notes that the handler has taken the newest message. A handler with one answer for all messages keeps none of
     * them.
     */
    void taken() {
        handled();
        if (type == MethodType.CLIENT_STREAMING) {
            release();
        }
    }

    /** Notes that the handler learns that it has all messages. */
    void complete() {
        handling();
    }

    /**
     * Notes that the handler has learnt it. A handler of one message holds it until its answer; any other call may end
     * while its handler answers.
     */
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
     * Notes that an answer was sent. A stream of batches has one answer for each message. A call with one answer no
     * longer needs its request, however slowly the client reads that answer.
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
