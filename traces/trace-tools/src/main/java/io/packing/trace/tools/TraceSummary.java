// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.tools;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceOrigin;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Counts over a trace. Memory grows with the number of distinct files and streams. Confined to one thread. */
public final class TraceSummary {
    /**
     * The counts of one call.
     *
     * @param events in the trace
     * @param calls of these events, which may be more
     * @param failed events with an exception
     * @param bytes moved
     * @param nanos spent inside the calls
     */
    public record CallCount(String call, long events, long calls, long failed, long bytes, long nanos) {}

    private record StreamKey(TraceOrigin origin, long stream) {}

    private static final class Count {
        private long events;
        private long calls;
        private long failed;
        private long bytes;
        private long nanos;
    }

    private final Map<Call, Count> counts = new EnumMap<>(Call.class);
    private final Set<String> files = new HashSet<>();
    private final Set<StreamKey> streams = new HashSet<>();
    private final Set<TraceOrigin> processes = new HashSet<>();
    private final Map<String, Long> unseen = new TreeMap<>();
    private final Map<String, Long> irregular = new TreeMap<>();
    private final Map<String, Long> elsewhere = new TreeMap<>();
    private long notes;
    private long firstNanos = Long.MAX_VALUE;
    private long lastNanos = Long.MIN_VALUE;

    /** Adds one event. */
    public void add(TraceEvent event) {
        if (event.call().isNote()) {
            note(event);
            return;
        }
        Count count = counts.computeIfAbsent(event.call(), call -> new Count());
        count.events++;
        count.calls += event.count();
        count.failed += event.failed() ? 1 : 0;
        count.bytes += event.bytes();
        count.nanos += event.durationNanos();
        processes.add(event.origin());
        if (event.stream() != TraceEvent.NONE) {
            streams.add(new StreamKey(event.origin(), event.stream()));
            if (!event.path().isEmpty()) {
                files.add(event.path());
            }
        }
        firstNanos = Math.min(firstNanos, event.wallNanos());
        lastNanos = Math.max(lastNanos, event.wallNanos() + event.durationNanos());
    }

    private void note(TraceEvent event) {
        notes++;
        if (event.call() == Call.UNSEEN) {
            unseen.merge(hint(event, "reason"), Math.max(0, event.result()), Long::sum);
        } else if (event.call() == Call.IRREGULAR) {
            irregular.merge(hint(event, "reason"), Math.max(0, event.result()), Long::sum);
        } else if (event.call() == Call.ELSEWHERE) {
            elsewhere.merge(
                    hint(event, "kind") + " " + hint(event, "direction"), Math.max(0, event.result()), Long::sum);
        }
    }

    private static String hint(TraceEvent event, String key) {
        for (String pair : event.hints().split(" ", -1)) {
            if (pair.startsWith(key + "=")) {
                return pair.substring(key.length() + 1);
            }
        }
        return "unknown";
    }

    /** Returns the number of events that are notes and no calls. */
    public long notes() {
        return notes;
    }

    /** Returns the number of operations, mappings and lines that left no event, by reason. */
    public Map<String, Long> unseen() {
        return unseen;
    }

    /** Returns the number of disturbances of the recording, by kind. */
    public Map<String, Long> irregular() {
        return irregular;
    }

    /** Returns the bytes that went through descriptors without a file, by kind and direction. */
    public Map<String, Long> elsewhere() {
        return elsewhere;
    }

    /** Returns the calls, those with most events first. */
    public List<CallCount> calls() {
        return counts.entrySet().stream()
                .map(entry -> {
                    Count c = entry.getValue();
                    return new CallCount(entry.getKey().label(), c.events, c.calls, c.failed, c.bytes, c.nanos);
                })
                .sorted(Comparator.comparingLong(CallCount::events).reversed().thenComparing(CallCount::call))
                .toList();
    }

    public long events() {
        return counts.values().stream().mapToLong(count -> count.events).sum();
    }

    /** Returns the number of calls of all events. */
    public long callCount() {
        return counts.values().stream().mapToLong(count -> count.calls).sum();
    }

    public long bytesRead() {
        return bytes(true);
    }

    public long bytesWritten() {
        return bytes(false);
    }

    private long bytes(boolean read) {
        return counts.entrySet().stream()
                .filter(entry -> entry.getKey().reads() == read)
                .mapToLong(entry -> entry.getValue().bytes)
                .sum();
    }

    /** Returns the number of distinct paths of files that were opened or created. */
    public long files() {
        return files.size();
    }

    public long streams() {
        return streams.size();
    }

    public long processes() {
        return processes.size();
    }

    /** Returns the nanoseconds from the first call's start to the last one's end, and 0 for an empty trace. */
    public long spanNanos() {
        return firstNanos > lastNanos ? 0 : lastNanos - firstNanos;
    }
}
