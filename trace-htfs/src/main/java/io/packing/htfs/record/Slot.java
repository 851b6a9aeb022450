package io.packing.htfs.record;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceOrigin;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One reusable event in an {@link EventRing}.
 *
 * <p>Owned by the thread that claimed it until {@link #publish}, then by the draining thread until {@link #release}.
 */
final class Slot {
    private static final VarHandle SEQUENCE;

    static {
        try {
            SEQUENCE = MethodHandles.lookup().findVarHandle(Slot.class, "sequence", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // Read and written through the handle only.
    private long sequence;

    private Call call = Call.UNKNOWN;
    private Caller caller = Caller.NOBODY;
    private int count;
    private long firstNanos;
    private long lastNanos;
    private long durationNanos;
    private String thread = "";
    private String context = "";
    private long stream;
    private String path = "";
    private String target = "";
    private long offset;
    private long length;
    private long result;
    private String error = "";
    private String hints = "";

    Slot(long firstSequence) {
        SEQUENCE.setRelease(this, firstSequence);
    }

    long sequence() {
        return (long) SEQUENCE.getAcquire(this);
    }

    void publish(long next) {
        SEQUENCE.setRelease(this, next);
    }

    /** Lets go of what the event refers to and gives the slot back to writers. */
    void release(long next) {
        caller = Caller.NOBODY;
        thread = "";
        context = "";
        path = "";
        target = "";
        error = "";
        hints = "";
        SEQUENCE.setRelease(this, next);
    }

    void who(Call what, Caller by, String threadName, String callerContext) {
        call = what;
        caller = by;
        thread = threadName;
        context = callerContext;
    }

    void when(int calls, long first, long last, long duration) {
        count = calls;
        firstNanos = first;
        lastNanos = last;
        durationNanos = duration;
    }

    void where(long streamNumber, String file, String secondPath) {
        stream = streamNumber;
        path = file;
        target = secondPath;
    }

    void what(long from, long bytes, long returned, String errorClass, String shape) {
        offset = from;
        length = bytes;
        result = returned;
        error = errorClass;
        hints = shape;
    }

    /** When the last call of the event began: the order in which a trace is written. */
    long orderNanos() {
        return count > 1 ? lastNanos : firstNanos + durationNanos;
    }

    TraceEvent toEvent(TraceOrigin origin, long wallMinusMono) {
        return new TraceEventBuilder(call)
                        .origin(origin)
                        .at(firstNanos + wallMinusMono, firstNanos)
                        .duration(durationNanos)
                        .collapsed(count, lastNanos)
                        .caller(thread, caller.user(), context)
                        .fileSystem(caller.fileSystem())
                        .stream(stream)
                        .path(path)
                        .target(target)
                        .range(offset, length)
                        .result(result)
                        .error(error)
                        .hints(hints)
                        .build();
    }
}
