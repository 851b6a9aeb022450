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
 * The bytes of requests that a server has received, also of those that are still arriving, and not answered. When they are more
 * than its memory is for, the calls that have waited longest for the rest of their requests are ended: those of clients that send go
 * on, whatever others hold. Thread-safe.
 */
public final class BytesInFlight extends ServerStreamTracer.Factory {
    /** A call with no more than this is not ended for those of others: calls on names go on while data is refused. */
    static final long SMALL_BYTES = 4 << 10;
    /** Some more than the largest message, so that one can be taken whatever the heap. */
    private static final long LEAST_BYTES = 40L << 20;

    private static final int PART_OF_HEAP = 16;
    /** So many times the most, and small calls are refused, too. */
    private static final int ALL_TIMES = 2;

    private static final Context.Key<Share> SHARE = Context.key("bytes in flight");

    private final long mostBytes;
    private final AtomicLong bytes = new AtomicLong();
    /** Of calls that were ended, until nothing of them is held. */
    private final AtomicLong endingBytes = new AtomicLong();
    /** Counts arrivals: what has the lowest number has waited longest. */
    private final AtomicLong arrivals = new AtomicLong();
    /** Calls that had more than a small one at some time. */
    private final Set<Share> large = ConcurrentHashMap.newKeySet();

    BytesInFlight(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** As many as this JVM's heap can take. */
    static BytesInFlight ofHeap() {
        return new BytesInFlight(Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
    }

    /** How many there are. */
    public long bytes() {
        return bytes.get();
    }

    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        return new Share();
    }

    /** Of the call that the current context belongs to. */
    static @Nullable Share current() {
        return SHARE.get();
    }

    /** Ends calls until what the others hold fits; at last the one that brings more. */
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

    /** One call's part of them. */
    final class Share extends ServerStreamTracer {
        private long held;
        private long lastArrival;
        private int handling;
        private boolean closed;
        private boolean ending;
        private @Nullable Consumer<Status> refuse;

        /** @param how ends the call */
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

        /** The number of the last arrival; {@link Long#MAX_VALUE} for a call that is not to be ended. */
        private synchronized long waitsSince() {
            return closed || ending || handling > 0 || refuse == null || held <= SMALL_BYTES
                    ? Long.MAX_VALUE
                    : lastArrival;
        }

        /** False when there is nothing to end, or a handler has what arrived and would keep it. */
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

        /** A handler has what arrived, and the call is not ended for others before it {@link #handled}. */
        synchronized void handling() {
            handling++;
        }

        synchronized void handled() {
            handling--;
        }

        /** A part was answered, or is not needed any more. */
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
