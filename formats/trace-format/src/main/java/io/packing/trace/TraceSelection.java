package io.packing.trace;

import java.io.IOException;
import java.util.Optional;

/**
 * The part of a trace that a reader wants: by call, path and time. Where directories are named, calls without a path are
 * not of them.
 *
 * @param filter by call and path
 * @param sinceNanos wall-clock time of the first call that is wanted, nanoseconds since 1970
 * @param untilNanos that of the first which is not wanted any more
 */
public record TraceSelection(TraceFilter filter, long sinceNanos, long untilNanos) {
    /** Everything. */
    public static final TraceSelection ALL = new TraceSelection(TraceFilter.ALL, Long.MIN_VALUE, Long.MAX_VALUE);

    public TraceSelection {
        if (sinceNanos >= untilNanos) {
            throw new IllegalArgumentException(
                    "from %d ns to %d ns there is nothing".formatted(sinceNanos, untilNanos));
        }
    }

    public boolean keeps(EventFields event) {
        return event.wallNanos() >= sinceNanos
                && event.wallNanos() < untilNanos
                && (filter.under().isEmpty() || !event.path().isEmpty())
                && filter.keeps(event);
    }

    /** Returns the wanted events of a trace; closing them closes it. */
    public TraceSource of(TraceSource trace) {
        if (equals(ALL)) {
            return trace;
        }
        return new TraceSource() {
            @Override
            public Optional<TraceEvent> next() throws IOException {
                Optional<TraceEvent> event = trace.next();
                while (event.isPresent() && !keeps(event.get())) {
                    event = trace.next();
                }
                return event;
            }

            @Override
            public void close() throws IOException {
                trace.close();
            }
        };
    }
}
