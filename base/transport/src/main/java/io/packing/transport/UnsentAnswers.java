package io.packing.transport;

import com.google.protobuf.MessageLite;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of answers that a server has made and that its clients do not take. gRPC keeps them outside of the heap until they are
 * sent, and has no bound for them. When they are more than the process has memory for, a connection that holds more than its share
 * gets {@code RESOURCE_EXHAUSTED} for further ones: those of clients that take their answers go on. Thread-safe.
 */
final class UnsentAnswers implements ServerInterceptor {
    /** An answer with no more than this is not refused for those of others: what changes a table is told how that ended. */
    static final int SMALL_BYTES = 4 << 10;

    /** gRPC takes more of an answer while no more than this waits. */
    private static final long ALWAYS_READY_BYTES = 32 << 10;

    private static final long LEAST_BYTES = 32L << 20;
    private static final int PART_OF_HEAP = 8;
    /** So many times the most, and what is not small is refused to everybody. */
    private static final int LARGE_TIMES = 2;
    /** So many times the most, and no call is begun. */
    private static final int ALL_TIMES = 3;

    /** Of calls within a process. */
    private static final SocketAddress NOBODY = InetSocketAddress.createUnresolved("nobody", 0);

    private final long mostBytes;
    private final AtomicLong bytes = new AtomicLong();
    /** What each holds that holds any. */
    private final Map<SocketAddress, Long> connections = new ConcurrentHashMap<>();

    UnsentAnswers(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** As many as this JVM can take: as much as its heap may be used outside of it. */
    static UnsentAnswers ofHeap() {
        return new UnsentAnswers(Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
    }

    /** How many there are. */
    long bytes() {
        return bytes.get();
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        CountedCall<Q, A> counted = new CountedCall<>(call);
        return new CountedListener<>(next.startCall(counted, headers), counted);
    }

    private static int sizeOf(Object message) {
        return message instanceof MessageLite known ? known.getSerializedSize() : 0;
    }

    private void count(SocketAddress connection, long change) {
        if (change == 0) {
            return;
        }
        long unused = bytes.addAndGet(change);
        Long unusedNow = connections.compute(connection, (key, before) -> {
            long after = change + (before == null ? 0 : before);
            return after == 0 ? null : Long.valueOf(after);
        });
    }

    private boolean isWithinShare(SocketAddress connection, long more) {
        return connections.getOrDefault(connection, 0L) + more <= mostBytes / (connections.size() + 1);
    }

    /** A call that is refused answers for which there is no room. */
    private final class CountedCall<Q, A> extends SimpleForwardingServerCall<Q, A> {
        private final SocketAddress connection;
        private long held;
        private boolean over;
        private boolean refused;

        CountedCall(ServerCall<Q, A> call) {
            super(call);
            SocketAddress remote = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
            connection = remote == null ? NOBODY : remote;
        }

        /** Ends the call if it is none to begin now, however small its answer would be. */
        boolean isRefused() {
            long all = bytes.get();
            boolean full = all > ALL_TIMES * mostBytes || (all > mostBytes && !isWithinShare(connection, 0));
            if (full) {
                refuse();
            }
            return full;
        }

        private boolean isRoomFor(int size) {
            long all = bytes.get() + size;
            return size <= SMALL_BYTES
                    || all <= mostBytes
                    || (all <= LARGE_TIMES * mostBytes && isWithinShare(connection, size));
        }

        private void refuse() {
            synchronized (this) {
                if (refused) {
                    return;
                }
                refused = true;
            }
            super.close(
                    Status.RESOURCE_EXHAUSTED.withDescription(
                            "%d bytes of answers wait for their clients, at most %d may: take those, and ask again later"
                                    .formatted(bytes.get(), mostBytes)),
                    new Metadata());
        }

        @Override
        public void sendMessage(A message) {
            int size = sizeOf(message);
            if (!isRoomFor(size)) {
                refuse();
            }
            synchronized (this) {
                if (refused) {
                    return;
                }
                if (!over) {
                    held += size;
                    count(connection, size);
                }
            }
            super.sendMessage(message);
            // gRPC begins to send a single answer when the call is closed.
            if (!getMethodDescriptor().getType().serverSendsOneMessage() && isReady()) {
                taken();
            }
        }

        @Override
        public void close(Status status, Metadata trailers) {
            synchronized (this) {
                if (refused) {
                    return;
                }
            }
            super.close(status, trailers);
        }

        /** The client has taken what was sent, but for the last of it. A stream that stays open is not charged for that. */
        synchronized void taken() {
            boolean stays = getMethodDescriptor().getType() == MethodType.BIDI_STREAMING;
            release(held - (stays ? 0 : Math.min(held, ALWAYS_READY_BYTES)));
        }

        synchronized void end() {
            over = true;
            release(held);
        }

        private void release(long part) {
            held -= part;
            count(connection, -part);
        }
    }

    private static final class CountedListener<Q> extends SimpleForwardingServerCallListener<Q> {
        private final UnsentAnswers.CountedCall<Q, ?> call;

        CountedListener(ServerCall.Listener<Q> handler, UnsentAnswers.CountedCall<Q, ?> call) {
            super(handler);
            this.call = call;
        }

        @Override
        public void onHalfClose() {
            if (!call.isRefused()) {
                super.onHalfClose();
            }
        }

        @Override
        public void onReady() {
            call.taken();
            super.onReady();
        }

        @Override
        public void onComplete() {
            call.end();
            super.onComplete();
        }

        @Override
        public void onCancel() {
            call.end();
            super.onCancel();
        }
    }
}
