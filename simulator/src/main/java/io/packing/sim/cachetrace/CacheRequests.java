// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.cachetrace;

import java.io.Closeable;
import java.io.IOException;

/** A stream of requests for objects, read one at a time without an allocation for each. */
public interface CacheRequests extends Closeable {
    /**
     * Moves to the next request; returns false at the end.
     *
     * @throws MalformedTraceException if the bytes cannot be a trace of this format
     */
    boolean advance() throws IOException;

    /** Returns the number of the requested object. */
    long object();

    /** Returns the object's size in bytes; 0 if the trace does not say. */
    long bytes();

    /** Returns the damage found so far: parts of the trace that are not requests. */
    TraceDefects damage();

    @Override
    void close() throws IOException;
}
