// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.util.EnumMap;

/** The counts and latencies of each call, and the events of each hour. Confined to one thread. */
final class CallCounts {
    private static final long HOUR_NANOS = 3_600_000_000_000L;

    private static final class OfCall {
        private long events;
        private long calls;
        private long errors;
        private long nanos;
        private final Histogram latencies = new Histogram();
    }

    private final EnumMap<Call, OfCall> byCall = new EnumMap<>(Call.class);
    private final Totals hours = new Totals();
    private long hour = Long.MIN_VALUE;
    private long inHour;

    void add(TraceEvent event) {
        OfCall of = byCall.computeIfAbsent(event.call(), call -> new OfCall());
        of.events++;
        of.calls += event.count();
        of.nanos += event.durationNanos();
        if (event.failed()) {
            of.errors++;
        }
        of.latencies.add(event.durationNanos() / event.count(), event.count());
        long eventHour = Math.floorDiv(event.wallNanos(), HOUR_NANOS);
        if (eventHour != hour) {
            endHour();
            hour = eventHour;
        }
        inHour++;
    }

    private void endHour() {
        hours.add(inHour, "hours", Long.toString(hour));
        inHour = 0;
    }

    void addTo(Totals totals) {
        endHour();
        hours.sums().forEach(totals::addNamed);
        hours.sums().clear();
        byCall.forEach((call, of) -> {
            totals.add(of.events, "calls", call.label(), "events");
            totals.add(of.calls, "calls", call.label(), "calls");
            totals.add(of.errors, "calls", call.label(), "errors");
            totals.add(of.nanos, "calls", call.label(), "nanos");
            of.latencies.addTo(totals, "latency", call.label());
        });
    }
}
