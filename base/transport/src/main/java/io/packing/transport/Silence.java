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
 * Whether the server at one end of a channel owes answers, and for how long it has said nothing. A server that is stopped, or cut off
 * without a word, breaks no connection. Thread-safe.
 */
public final class Silence implements ClientInterceptor {
    private final LongSupplier nanos;
    private final SilenceWatch watch;
    private final AtomicInteger owed = new AtomicInteger();
    private final Set<ClientCall<?, ?>> open = ConcurrentHashMap.newKeySet();
    /** When the server was last heard of, or the first of what it owes was asked for. */
    private volatile long since;

    /** @param watch told when the server begins to owe answers, and when it does not any more */
    Silence(LongSupplier nanos, SilenceWatch watch) {
        this.nanos = nanos;
        this.watch = watch;
        this.since = nanos.getAsLong();
    }

    /** Whether the server owes answers, and has said nothing for longer than this. */
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
        /** Messages of this call without an answer. */
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
            // In this order, so that what is owed is never less than what calls wait for.
            asked();
            int unused = unanswered.incrementAndGet();
            if (ended) {
                // Meanwhile, and nobody tells of it again.
                heard(unanswered.getAndSet(0));
            }
            super.sendMessage(request);
        }
    }
}
