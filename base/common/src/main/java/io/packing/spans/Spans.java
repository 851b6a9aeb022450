// SPDX-License-Identifier: Apache-2.0
package io.packing.spans;

/** The spans of one mount or of one server, on their way to a collector. Thread-safe. */
public interface Spans extends AutoCloseable {
    /** The spans of a process without a collector. */
    Spans NONE = new NoSpans();

    /** Returns whether spans are recorded at all. */
    boolean isOn();

    /**
     * Begins a span of a call of this process's own user: a part of the current one, or the first of a new trace, if it
     * is sampled.
     */
    Span enter(String name);

    /** Begins a span of another process's call; none unless that one samples it. */
    Span serve(String name, SpanContext caller);

    /** Begins a trace of background work. */
    Span root(String name);

    /** Returns the number of spans that the collector got. */
    long sent();

    /** Returns the number of spans that the collector did not get. */
    long dropped();

    /** Sends the waiting spans, for a second at most. */
    @Override
    void close();
}
