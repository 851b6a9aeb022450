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

    void arrived(int bytes) {
        synchronized (messages) {
            messages.add(bytes);
        }
    }

    /** The handler has taken the newest: what has one answer for all messages keeps none of them. */
    void handled() {
        if (type == MethodType.CLIENT_STREAMING) {
            release();
        }
    }

    /** An answer was sent: a stream of batches has one for each; any other call ends soon. */
    void answered() {
        if (type == MethodType.BIDI_STREAMING) {
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
