// SPDX-License-Identifier: Apache-2.0
package io.packing.spans;

/**
 * A piece of work until it is closed; an unrecorded one has no effect. Thread-safe: one thread may begin it and another
 * one close it.
 */
public interface Span extends AutoCloseable {
    /** The unrecorded span. */
    Span NONE = new UnrecordedSpan(SpanContext.NONE);

    /** The side of a call. */
    enum Kind {
        INTERNAL(1),
        SERVER(2),
        CLIENT(3);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /** Returns OTLP's number for it. */
        int code() {
            return code;
        }
    }

    /** Returns a span of another process by its context alone. */
    static Span elsewhere(SpanContext context) {
        return context.sampled() ? new UnrecordedSpan(context) : NONE;
    }

    SpanContext context();

    /** Returns whether the collector gets it. */
    boolean isRecorded();

    /** Begins a part of it; unrecorded when this one is. */
    Span child(String name, Kind kind);

    /** Begins a part of it without a call to another process. */
    Span child(String name);

    /** Adds an attribute. */
    Span with(String key, String value);

    /** Adds an attribute. */
    Span with(String key, long value);

    /** Links it to a related span of another trace. */
    Span link(SpanContext other);

    /** Marks it as failed. */
    void failed(String why);

    /** Ends it; a second call has no effect. */
    @Override
    void close();
}
