// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.io.IOException;
import java.util.Optional;

/**
 * A reader's part of a trace: by call, path and time. When the filter names directories, calls without a path are not
 * selected.
 *
 * @param filter by call and path
 * @param sinceNanos wall-clock time of the first selected call, nanoseconds since 1970
 * @param untilNanos wall-clock time of the first call that is no longer selected
 */
public record TraceSelection(TraceFilter filter, long sinceNanos, long untilNanos) {
    /** Selects everything. */
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

    /** Returns the selected events of a trace; to close them closes it. */
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
