package io.packing.spans;

/** Begins spans, of one mount or of one server, and brings them to a collector. Thread-safe. */
public interface Spans extends AutoCloseable {
    /** Begins none. */
    Spans NONE = new NoSpans();

    /** Whether spans are recorded at all. */
    boolean isOn();

    /**
     * Begins a span of a call of this process's own user: a part of the current one, or the first of a new trace, of which a share
     * is sampled.
     */
    Span enter(String name);

    /** Begins a span of what another process asked for: none unless that one samples it. */
    Span serve(String name, SpanContext caller);

    /** Begins a trace of work that nobody in particular asked for. */
    Span root(String name);

    /** How many spans went to the collector. */
    long sent();

    /** How many spans the collector did not get. */
    long dropped();

    /** Sends what waits, for a second at most. */
    @Override
    void close();
}
