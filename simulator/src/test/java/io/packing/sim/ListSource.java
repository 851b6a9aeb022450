// SPDX-License-Identifier: Apache-2.0
package io.packing.sim;

import io.packing.trace.TraceEvent;
import io.packing.trace.TraceSource;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** A trace in memory. */
public final class ListSource implements TraceSource {
    private final Iterator<TraceEvent> events;

    public ListSource(List<TraceEvent> events) {
        this.events = events.iterator();
    }

    @Override
    public Optional<TraceEvent> next() {
        return events.hasNext() ? Optional.of(events.next()) : Optional.empty();
    }

    @Override
    public void close() {}
}
