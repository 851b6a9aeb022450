// SPDX-License-Identifier: Apache-2.0
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
 * The number of bytes of answers that a server has made and its clients have not taken. gRPC keeps them outside of the
 * heap until they are sent, without a bound. When they exceed the memory for them, a connection that holds more than
 * its share gets {@code RESOURCE_EXHAUSTED} for further calls. So clients that take their answers can go on.
 * Thread-safe.
 */
final class UnsentAnswers implements ServerInterceptor {
    /**
     * The size up to which an answer is small. The server does not refuse it to make room for others, so clients that
     * change a table learn the result.
     */
    static final int SMALL_BYTES = 4 << 10;

    /** gRPC accepts more of an answer while at most this many bytes wait. */
    private static final long ALWAYS_READY_BYTES = 32 << 10;

    private static final long LEAST_BYTES = 32L << 20;
    private static final int PART_OF_HEAP = 8;
    /** At this multiple of the limit the server refuses every answer that is not small. */
    private static final int LARGE_TIMES = 2;
    /** At this multiple of the limit the server begins no call. */
    private static final int ALL_TIMES = 3;

    /** The connection of calls within a process. */
    private static final SocketAddress NOBODY = InetSocketAddress.createUnresolved("nobody", 0);

    private final long mostBytes;
    private final AtomicLong bytes = new AtomicLong();
    /** The bytes of each connection that holds any. */
    private final Map<SocketAddress, Long> connections = new ConcurrentHashMap<>();

    UnsentAnswers(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * Makes a counter whose limit is a part of the heap's size, since this JVM may use as much memory outside of the
     * heap.
     */
    static UnsentAnswers ofHeap() {
        return new UnsentAnswers(Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
    }

    /** Returns the number of bytes. */
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

    /** A call that is refused when no memory is left for its answers. */
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

        /** Ends the call if the server must not begin it now, even for a small answer. */
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

        /**
         * Notes that the client has taken the answers, except for the last part. A stream that stays open is not
         * charged for that part.
         */
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
