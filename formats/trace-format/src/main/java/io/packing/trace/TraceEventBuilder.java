// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

/** A builder of a {@link TraceEvent}, whose fields all start as ones that do not apply. */
public final class TraceEventBuilder {
    private TraceOrigin origin = new TraceOrigin("", 0, "");
    private long wallNanos;
    private long monoNanos;
    private long durationNanos;
    private long lastNanos = Long.MIN_VALUE;
    private final Call call;
    private int count = 1;
    private String thread = "";
    private String user = "";
    private String context = "";
    private int fileSystem;
    private long stream = TraceEvent.NONE;
    private String path = "";
    private String target = "";
    private long offset = TraceEvent.NONE;
    private long length = TraceEvent.NONE;
    private long result = TraceEvent.NONE;
    private String error = "";
    private String hints = "";
    private long descriptor = TraceEvent.NONE;
    private long fileSize = TraceEvent.NONE;

    public TraceEventBuilder(Call call) {
        this.call = call;
    }

    public TraceEventBuilder origin(TraceOrigin value) {
        origin = value;
        return this;
    }

    /** Sets both clocks; a single call starts and, but for its duration, ends there. */
    public TraceEventBuilder at(long wall, long mono) {
        wallNanos = wall;
        monoNanos = mono;
        return this;
    }

    public TraceEventBuilder duration(long nanos) {
        durationNanos = nanos;
        return this;
    }

    /** Makes the event a collapsed run of {@code calls}, the last of which started at {@code last}. */
    public TraceEventBuilder collapsed(int calls, long last) {
        count = calls;
        lastNanos = last;
        return this;
    }

    public TraceEventBuilder caller(String threadName, String userName, String callerContext) {
        thread = threadName;
        user = userName;
        context = callerContext;
        return this;
    }

    public TraceEventBuilder fileSystem(int instance) {
        fileSystem = instance;
        return this;
    }

    public TraceEventBuilder stream(long number) {
        stream = number;
        return this;
    }

    public TraceEventBuilder path(String value) {
        path = value;
        return this;
    }

    public TraceEventBuilder target(String value) {
        target = value;
        return this;
    }

    /** Sets the range of the file that the call asked for. */
    public TraceEventBuilder range(long from, long bytes) {
        offset = from;
        length = bytes;
        return this;
    }

    public TraceEventBuilder result(long value) {
        result = value;
        return this;
    }

    public TraceEventBuilder error(String className) {
        error = className;
        return this;
    }

    public TraceEventBuilder hints(String value) {
        hints = value;
        return this;
    }

    /** Adds a pair to the hints. */
    public TraceEventBuilder hint(String pair) {
        hints = hints.isEmpty() ? pair : hints + ' ' + pair;
        return this;
    }

    public TraceEventBuilder descriptor(long number) {
        descriptor = number;
        return this;
    }

    public TraceEventBuilder fileSize(long bytes) {
        fileSize = bytes;
        return this;
    }

    public TraceEvent build() {
        return new TraceEvent(
                origin,
                wallNanos,
                monoNanos,
                durationNanos,
                lastNanos == Long.MIN_VALUE ? monoNanos : lastNanos,
                call,
                count,
                thread,
                user,
                context,
                fileSystem,
                stream,
                path,
                target,
                offset,
                length,
                result,
                error,
                hints,
                descriptor,
                fileSize);
    }
}
