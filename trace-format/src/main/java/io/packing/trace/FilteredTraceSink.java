package io.packing.trace;

import java.io.IOException;

/** Passes on the events that a {@link TraceFilter} keeps and counts the others. Confined to one thread. */
public final class FilteredTraceSink implements TraceSink {
    private final TraceSink kept;
    private final TraceFilter filter;
    private long left;

    /** Closes {@code kept} with itself. */
    public FilteredTraceSink(TraceSink kept, TraceFilter filter) {
        this.kept = kept;
        this.filter = filter;
    }

    @Override
    public void write(TraceEvent event) throws IOException {
        if (filter.keeps(event)) {
            kept.write(event);
        } else {
            left++;
        }
    }

    /** Events that the filter left out. */
    public long leftOut() {
        return left;
    }

    @Override
    public void close() throws IOException {
        kept.close();
    }
}
