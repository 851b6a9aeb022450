// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.io.IOException;

/**
 * The trace of a running process. It may fail for a while, as disks do, and counts the exact cost: an event is in the
 * end readable or lost, never both. Confined to one thread.
 */
public interface TraceLog extends TraceSink {
    /**
     * Writes an event without keeping it.
     *
     * @throws IllegalArgumentException when no trace can hold it; it is counted as lost
     * @throws IOException when it, and maybe events before it, are lost
     */
    void write(EventFields event) throws IOException;

    @Override
    default void write(TraceEvent event) throws IOException {
        write((EventFields) event);
    }

    /** Notes events that others lost, for the readers of the trace. */
    void dropped(long events);

    /**
     * Makes all written events readable.
     *
     * @throws IOException when they are lost; {@link #lost()} gives their number
     */
    void flush() throws IOException;

    /** Ends a file that is large, old or removed; a process without events calls this from time to time. */
    void rotate() throws IOException;

    /** Returns the number of this log's events that failures cost so far. */
    long lost();
}
