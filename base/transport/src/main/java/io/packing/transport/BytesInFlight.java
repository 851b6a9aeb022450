package io.packing.transport;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of requests that a server has received, also of those that are still arriving, and not answered. When they are more
 * than its memory is for, calls with more than a small share of them are refused. Thread-safe.
 */
public final class BytesInFlight extends ServerStreamTracer.Factory {
    /** What a call may always have: small calls go on while large ones are refused. */
    static final long ALWAYS_BYTES = 256 << 10;
    /** Some more than the largest message, so that one can be taken whatever the heap. */
    private static final long LEAST_BYTES = 40L << 20;

    private static final int PART_OF_HEAP = 16;
    private static final Context.Key<Share> SHARE = Context.key("bytes in flight");

    private final long mostBytes;
    private final AtomicLong bytes = new AtomicLong();

    BytesInFlight(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** As many as this JVM's heap can take. */
    public static BytesInFlight ofHeap() {
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

    /** One call's part of them. */
    final class Share extends ServerStreamTracer {
        private long held;
        private boolean closed;
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
            Consumer<Status> tooMany;
            long all;
            synchronized (this) {
                if (closed) {
                    return;
                }
                held += arrived;
                all = bytes.addAndGet(arrived);
                tooMany = all > mostBytes && held > ALWAYS_BYTES ? refuse : null;
            }
            if (tooMany != null) {
                tooMany.accept(Status.RESOURCE_EXHAUSTED.withDescription(
                        "%d bytes of requests are under way, at most %d may be: try again later"
                                .formatted(all, mostBytes)));
            }
        }

        /** A part was answered, or is not needed any more. */
        void release(long done) {
            synchronized (this) {
                long part = Math.min(done, held);
                held -= part;
                long unused = bytes.addAndGet(-part);
            }
        }

        @Override
        public void streamClosed(Status status) {
            synchronized (this) {
                closed = true;
                long unused = bytes.addAndGet(-held);
                held = 0;
            }
        }
    }
}
