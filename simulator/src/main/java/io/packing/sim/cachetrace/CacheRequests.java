package io.packing.sim.cachetrace;

import java.io.Closeable;
import java.io.IOException;

/** A stream of requests for objects, one at a time and without an object for each. */
public interface CacheRequests extends Closeable {
    /**
     * Moves to the next request; returns whether there is one.
     *
     * @throws MalformedTraceException when what is read cannot be a trace of this format
     */
    boolean advance() throws IOException;

    /** The number of the object that is asked for. */
    long object();

    /** The object's size in bytes; 0 when the trace does not say. */
    long bytes();

    /** What was read of the trace but is not a request, so far. */
    Damage damage();

    @Override
    void close() throws IOException;
}
