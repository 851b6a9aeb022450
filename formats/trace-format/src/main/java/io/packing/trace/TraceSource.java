package io.packing.trace;

import java.io.IOException;
import java.util.Optional;

/** Gives the events of a trace one by one, in its order. Confined to one thread. */
public interface TraceSource extends AutoCloseable {
    /** Returns the next event, empty after the last that can be read. */
    Optional<TraceEvent> next() throws IOException;

    @Override
    void close() throws IOException;
}
