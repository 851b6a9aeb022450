// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * A detector of a silent server at the other end of a channel: one that owes answers and has sent nothing for a while.
 * A server that hangs, or that the network cuts off, breaks no connection. Thread-safe.
 */
public final class SilenceDetector implements ClientInterceptor {
    private final LongSupplier nanos;
    private final SilentServerWatch watch;
    private final AtomicInteger owed = new AtomicInteger();
    private final Set<ClientCall<?, ?>> open = ConcurrentHashMap.newKeySet();
    /**
     * The later of two times: when the server last sent a message, and when the client sent the first message that it
     * still has to answer.
     */
    private volatile long since;

    /**
     * Creates a detector.
     *
     * @param watch is notified when the server begins to owe answers, and when it has given them all
     */
    SilenceDetector(LongSupplier nanos, SilentServerWatch watch) {
        this.nanos = nanos;
        this.watch = watch;
        this.since = nanos.getAsLong();
    }

    /** Returns whether the server owes answers, and has sent nothing for longer than this. */
    public boolean isLongerThan(Duration time) {
        return owed.get() > 0 && nanos.getAsLong() - since > time.toNanos();
    }

    /** Ends all calls. */
    public void end(String why) {
        open.forEach(call -> call.cancel(why, null));
    }

    private void asked() {
        if (owed.getAndIncrement() == 0) {
            since = nanos.getAsLong();
            watch.owes();
        }
    }

    private void heard(int answers) {
        since = nanos.getAsLong();
        if (answers > 0 && owed.addAndGet(-answers) == 0) {
            watch.owesNothing();
        }
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        return new Counted<>(next.newCall(method, options));
    }

    private final class Counted<Q, A> extends SimpleForwardingClientCall<Q, A> {
        /** The number of messages of this call without an answer. */
        private final AtomicInteger unanswered = new AtomicInteger();

        private volatile boolean ended;

        Counted(ClientCall<Q, A> call) {
            super(call);
        }

        @Override
        public void start(Listener<A> listener, Metadata headers) {
            boolean unused = open.add(this);
            super.start(
                    new SimpleForwardingClientCallListener<>(listener) {
                        @Override
                        public void onMessage(A answer) {
                            heard(unanswered.getAndUpdate(count -> Math.max(0, count - 1)) > 0 ? 1 : 0);
                            super.onMessage(answer);
                        }

                        @Override
                        public void onClose(Status status, Metadata trailers) {
                            boolean unused = open.remove(Counted.this);
                            ended = true;
                            heard(unanswered.getAndSet(0));
                            super.onClose(status, trailers);
                        }
                    },
                    headers);
        }

        @Override
        public void sendMessage(Q request) {
            // In this order, so that the server's count is never less than that of its calls.
            asked();
            int unused = unanswered.incrementAndGet();
            if (ended) {
                // The call ended meanwhile, and its end has already been counted.
                heard(unanswered.getAndSet(0));
            }
            super.sendMessage(request);
        }
    }
}
