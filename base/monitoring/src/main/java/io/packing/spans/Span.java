package io.packing.spans;

/**
 * Something that took time, until it is closed; one that is not recorded does nothing. Thread-safe: who closes it need not be who
 * began it.
 */
public interface Span extends AutoCloseable {
    /** Of what nobody records. */
    Span NONE = new UnrecordedSpan(SpanContext.NONE);

    /** Whose side of a call a span is. */
    enum Kind {
        INTERNAL(1),
        SERVER(2),
        CLIENT(3);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        /** The number that OTLP has for it. */
        int code() {
            return code;
        }
    }

    /** A span of another process, of which this one knows only where it is. */
    static Span elsewhere(SpanContext context) {
        return context.sampled() ? new UnrecordedSpan(context) : NONE;
    }

    SpanContext context();

    /** Whether anybody will see it. */
    boolean isRecorded();

    /** Begins a part of it; unrecorded when this one is. */
    Span child(String name, Kind kind);

    /** Begins a part of it that asks nobody. */
    Span child(String name);

    /** Says something about it. */
    Span with(String key, String value);

    /** Says something about it. */
    Span with(String key, long value);

    /** Names a span, of another trace, that has to do with it. */
    Span link(SpanContext other);

    /** It did not do what it was to do. */
    void failed(String why);

    /** Ends it; a second time does nothing. */
    @Override
    void close();
}
