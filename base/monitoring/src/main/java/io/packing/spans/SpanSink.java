package io.packing.spans;

/** Takes spans that are over. Thread-safe, and never waits. */
interface SpanSink extends AutoCloseable {
    void ended(EndedSpan span);

    /** How many left. */
    long sent();

    /** How many were lost. */
    long dropped();

    @Override
    void close();
}
