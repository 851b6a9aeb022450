// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.io.IOException;
import java.util.Optional;

/** A source of the events of a trace one by one, in its order. Confined to one thread. */
public interface TraceSource extends AutoCloseable {
    /** Returns the next event, empty after the last readable one. */
    Optional<TraceEvent> next() throws IOException;

    @Override
    void close() throws IOException;
}
