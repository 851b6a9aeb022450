// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.tools.replay;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The counts of a replay. All its threads may add to them. */
public final class ReplayTally {
    private static final int EXAMPLES = 10;

    private static final class Count {
        private long calls;
        private long bytes;
        private long errors;
        private long mismatches;
        private long nanos;
    }

    private final Map<Call, Count> counts = new EnumMap<>(Call.class);
    private final Map<String, Long> skipped = new TreeMap<>();
    private final List<String> examples = new ArrayList<>();

    private Count of(Call call) {
        return counts.computeIfAbsent(call, key -> new Count());
    }

    /**
     * Counts calls that the replay made.
     *
     * @param bytes of content that they moved
     * @param nanos spent inside the calls
     */
    public synchronized void made(Call call, long calls, long bytes, boolean failed, long nanos) {
        Count count = of(call);
        count.calls += calls;
        count.bytes += bytes;
        count.errors += failed ? 1 : 0;
        count.nanos += nanos;
    }

    /**
     * Counts an event whose outcome differs from the trace's.
     *
     * @param expected the trace's result, or {@link TraceEvent#NONE} when the trace has only that the call succeeded
     * @param result the replay's result, likewise
     * @param error the replay's error, or empty when the call succeeded
     */
    public synchronized void differs(TraceEvent event, long expected, long result, String error) {
        of(event.call()).mismatches++;
        if (examples.size() < EXAMPLES) {
            examples.add("%s of %s at %d: the trace has %s, the replay %s"
                    .formatted(
                            event.call().label(),
                            event.path(),
                            event.offset(),
                            event.failed() ? event.error() : success(expected),
                            error.isEmpty() ? success(result) : error));
        }
    }

    private static String success(long result) {
        return result == TraceEvent.NONE ? "success" : Long.toString(result);
    }

    /** Counts an event that is not replayed. */
    public synchronized void skipped(Call call) {
        skipped.merge(call.label(), 1L, Long::sum);
    }

    /** Returns the counts of the replayed calls, the most frequent first. */
    public synchronized List<ReplayReport.Kind> kinds() {
        return counts.entrySet().stream()
                .map(entry -> {
                    Count c = entry.getValue();
                    return new ReplayReport.Kind(
                            entry.getKey().label(), c.calls, c.bytes, c.errors, c.mismatches, c.nanos);
                })
                .sorted(Comparator.comparingLong(ReplayReport.Kind::calls)
                        .reversed()
                        .thenComparing(ReplayReport.Kind::call))
                .toList();
    }

    /** Returns the number of events that were not replayed, by call. */
    public synchronized Map<String, Long> skipped() {
        return new TreeMap<>(skipped);
    }

    /** Returns a few events whose outcome differs from the trace's. */
    public synchronized List<String> examples() {
        return List.copyOf(examples);
    }
}
