// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The number of bytes of unanswered requests that a server has received, including those of requests that are still
 * arriving. When they exceed the memory for them, the server ends the calls that have waited longest for the rest of
 * their requests. So clients that send can go on, no matter how much other calls hold. Thread-safe.
 */
public final class BytesInFlight extends ServerStreamTracer.Factory {
    /**
     * The size up to which a call is small. The server does not end it to make room for others, so calls on names go on
     * while data is refused.
     */
    static final long SMALL_BYTES = 4 << 10;
    /** Somewhat more than the largest message, so that a server with any heap can take one. */
    private static final long LEAST_BYTES = 40L << 20;

    private static final int PART_OF_HEAP = 16;
    /** At this multiple of the limit the server ends small calls, too. */
    private static final int ALL_TIMES = 2;

    private static final Context.Key<Share> SHARE = Context.key("bytes in flight");

    private final long mostBytes;
    private final AtomicLong bytes = new AtomicLong();
    /** The bytes that ended calls still hold. */
    private final AtomicLong endingBytes = new AtomicLong();
    /** Counts arrivals: the call with the lowest number has waited longest. */
    private final AtomicLong arrivals = new AtomicLong();
    /** Calls that have held more than a small call does at some time. */
    private final Set<Share> large = ConcurrentHashMap.newKeySet();

    BytesInFlight(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Makes a counter whose limit is a part of this JVM's heap. */
    static BytesInFlight ofHeap() {
        return new BytesInFlight(Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
    }

    /** Returns the number of bytes. */
    public long bytes() {
        return bytes.get();
    }

    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        return new Share();
    }

    /** Returns the share of the call to which the current context belongs. */
    static @Nullable Share current() {
        return SHARE.get();
    }

    /** Ends calls until the bytes of the others fit; at last ends the arriving one. */
    private void makeRoom(Share arriving) {
        Share longest = longestWaiting();
        while (longest != null && longest.end()) {
            longest = longestWaiting();
        }
        if (bytes.get() > ALL_TIMES * mostBytes) {
            boolean unused = arriving.end();
        }
    }

    private @Nullable Share longestWaiting() {
        if (bytes.get() - endingBytes.get() <= mostBytes) {
            return null;
        }
        Share longest = null;
        long least = Long.MAX_VALUE;
        for (Share each : large) {
            long arrival = each.waitsSince();
            if (arrival < least) {
                least = arrival;
                longest = each;
            }
        }
        return longest;
    }

    /** One call's bytes. */
    final class Share extends ServerStreamTracer {
        private long held;
        private long lastArrival;
        private int handling;
        private boolean closed;
        private boolean ending;
        private @Nullable Consumer<Status> refuse;

        /**
         * Registers the action that ends the call.
         *
         * @param how ends the call with a status
         */
        void whenTooMany(Consumer<Status> how) {
            synchronized (this) {
                refuse = how;
            }
        }

        @Override
        public Context filterContext(Context context) {
            return context.withValue(SHARE, this);
        }

        @Override
        public void inboundWireSize(long arrived) {
            synchronized (this) {
                if (closed) {
                    return;
                }
                held += arrived;
                lastArrival = arrivals.incrementAndGet();
                if (ending) {
                    long unused = endingBytes.addAndGet(arrived);
                } else if (held > SMALL_BYTES) {
                    boolean unused = large.add(this);
                }
                if (bytes.addAndGet(arrived) <= mostBytes) {
                    return;
                }
            }
            makeRoom(this);
        }

        /** Returns the number of the last arrival; {@link Long#MAX_VALUE} for a call that must not end. */
        private synchronized long waitsSince() {
            return closed || ending || handling > 0 || refuse == null || held <= SMALL_BYTES
                    ? Long.MAX_VALUE
                    : lastArrival;
        }

        /**
         * Ends the call. Returns false when the call has ended already, or when its handler holds the bytes and would
         * keep them.
         */
        private boolean end() {
            Consumer<Status> how;
            synchronized (this) {
                if (closed || ending || handling > 0 || refuse == null) {
                    return false;
                }
                ending = true;
                how = refuse;
                long unused = endingBytes.addAndGet(held);
            }
            how.accept(Status.RESOURCE_EXHAUSTED.withDescription(
                    "%d bytes of requests are under way, at most %d may be: try again later"
                            .formatted(bytes.get(), mostBytes)));
            return true;
        }

        /**
         * Marks that a handler holds the bytes that arrived. The call does not end for others before {@link #handled}.
         */
        synchronized void handling() {
            handling++;
        }

        synchronized void handled() {
            handling--;
        }

        /** Subtracts bytes whose answer was sent, or which the server no longer needs. */
        synchronized void release(long done) {
            drop(Math.min(done, held));
        }

        private void drop(long part) {
            held -= part;
            long unused = ending ? endingBytes.addAndGet(-part) : 0;
            unused = bytes.addAndGet(-part);
        }

        @Override
        public void streamClosed(Status status) {
            synchronized (this) {
                closed = true;
                drop(held);
                boolean unused = large.remove(this);
            }
        }
    }
}
