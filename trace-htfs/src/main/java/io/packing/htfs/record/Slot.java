// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs.record;

import io.packing.trace.Call;
import io.packing.trace.EventFields;
import io.packing.trace.TraceOrigin;

/**
 * A reusable event in an {@link EventRing}.
 *
 * <p>Owned by the thread that claimed it until {@link EventRing#publish}, then by the draining thread until
 * {@link #release}. The draining thread writes the trace from here: an object for each event would cost as much as the
 * writing.
 */
final class Slot implements EventFields {
    private final EventRing ring;
    private final int place;
    private Call call = Call.UNKNOWN;
    private FileSystemInstance caller = FileSystemInstance.NOBODY;
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

    /** @param place of the slot in its ring */
    Slot(EventRing ring, int place) {
        this.ring = ring;
        this.place = place;
    }

    EventRing ring() {
        return ring;
    }

    int place() {
        return place;
    }

    /** Drops the event's references, and gives the slot back to writers. */
    void release() {
        // Threads and callers stay: they are few and live long, and the next event mostly has them, too.
        path = "";
        if (!context.isEmpty()) {
            context = "";
        }
        if (!target.isEmpty()) {
            target = "";
        }
        if (!error.isEmpty()) {
            error = "";
        }
        if (!hints.isEmpty()) {
            hints = "";
        }
        ring.release(this);
    }

    // Storing a reference costs a collector's barrier, and slots are old: so a value is stored only if it changes.

    @SuppressWarnings("ReferenceEquality") // The very same text, not an equal one.
    void who(Call what, FileSystemInstance by, String threadName, String callerContext) {
        call = what;
        if (caller != by) {
            caller = by;
        }
        if (thread != threadName) {
            thread = threadName;
        }
        if (context != callerContext) {
            context = callerContext;
        }
    }

    void when(int calls, long first, long last, long duration) {
        count = calls;
        firstNanos = first;
        lastNanos = last;
        durationNanos = duration;
    }

    @SuppressWarnings("ReferenceEquality") // The very same text, not an equal one.
    void where(long streamNumber, String file, String secondPath) {
        stream = streamNumber;
        path = file;
        if (target != secondPath) {
            target = secondPath;
        }
    }

    @SuppressWarnings("ReferenceEquality") // The very same text, not an equal one.
    void what(long from, long bytes, long returned, String errorClass, String shape) {
        offset = from;
        length = bytes;
        result = returned;
        if (error != errorClass) {
            error = errorClass;
        }
        if (hints != shape) {
            hints = shape;
        }
    }

    /**
     * Reads a field at each end of the slot. Another processor filled the slot, so each cache line is a wait. For
     * consecutive slots the waits overlap.
     */
    boolean touch() {
        return count > 0 && hints.isEmpty();
    }

    /** Returns the begin of the event's last call: the order of a trace. */
    long orderNanos() {
        return count > 1 ? lastNanos : firstNanos + durationNanos;
    }

    @Override
    public TraceOrigin origin() {
        return ring.origin();
    }

    @Override
    public long wallNanos() {
        return firstNanos + ring.wallMinusMono();
    }

    @Override
    public long monoNanos() {
        return firstNanos;
    }

    @Override
    public long durationNanos() {
        return durationNanos;
    }

    @Override
    public long lastNanos() {
        return lastNanos;
    }

    @Override
    public Call call() {
        return call;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public String thread() {
        return thread;
    }

    @Override
    public String user() {
        return caller.user();
    }

    @Override
    public String context() {
        return context;
    }

    @Override
    public int fileSystem() {
        return caller.fileSystem();
    }

    @Override
    public long stream() {
        return stream;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public String target() {
        return target;
    }

    @Override
    public long offset() {
        return offset;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public long result() {
        return result;
    }

    @Override
    public String error() {
        return error;
    }

    @Override
    public String hints() {
        return hints;
    }
}
