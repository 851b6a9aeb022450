package io.packing.trace;

import java.io.IOException;

/**
 * The trace of a running process. It may fail for a while, as disks do, and counts exactly what that costs: an event is
 * readable in the end, or lost, never both. Confined to one thread.
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

    /** Notes events that were lost elsewhere, for the readers of the trace. */
    void dropped(long events);

    /**
     * Makes what was written so far readable.
     *
     * @throws IOException when it is lost; {@link #lost()} says how much
     */
    void flush() throws IOException;

    /** Ends what is large, old or gone; a process that is quiet calls this from time to time. */
    void rotate() throws IOException;

    /** Events given to this log that failures cost so far. */
    long lost();
}
