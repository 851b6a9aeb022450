// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFiles;
import io.packing.trace.TraceReport;
import io.packing.trace.TraceSelection;
import io.packing.trace.TraceSource;
import io.packing.trace.tools.TraceSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A trace's counts, for people and for programs.
 *
 * @param counts of its events
 * @param read what could be read
 * @param stored bytes of its files
 */
public record SummaryOfTrace(TraceSummary counts, TraceReport read, long stored) {
    /** Reads a trace to its end. */
    public static SummaryOfTrace read(List<Path> traces) throws IOException {
        return read(traces, TraceSelection.ALL);
    }

    /** Reads a trace to its end and counts a part of it. */
    public static SummaryOfTrace read(List<Path> traces, TraceSelection selection) throws IOException {
        TraceSummary counts = new TraceSummary();
        TraceReport read;
        try (TraceFiles files = TraceFiles.open(traces)) {
            TraceSource wanted = selection.of(files);
            for (Optional<TraceEvent> event = wanted.next(); event.isPresent(); event = wanted.next()) {
                counts.add(event.get());
            }
            read = files.report();
        }
        long stored = 0;
        for (Path file : TraceFiles.expand(traces)) {
            stored += Files.size(file);
        }
        return new SummaryOfTrace(counts, read, stored);
    }

    public double bytesPerEvent() {
        return (double) stored / Math.max(1, read.events());
    }

    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("events", counts.events());
        json.put("dropped", read.dropped());
        json.put("bytes", stored);
        json.put("bytes_per_event", bytesPerEvent());
        json.put("calls", counts.callCount());
        json.put("files", counts.files());
        json.put("streams", counts.streams());
        json.put("processes", counts.processes());
        json.put("seconds", counts.spanNanos() / 1e9);
        json.put("bytes_read", counts.bytesRead());
        json.put("bytes_written", counts.bytesWritten());
        json.put(
                "unseen",
                counts.unseen().values().stream().mapToLong(count -> count).sum());
        json.put("unseen_by_reason", counts.unseen());
        json.put("irregular", counts.irregular());
        json.put("elsewhere", counts.elsewhere());
        json.put("notes", counts.notes());
        json.put("by_call", counts.calls());
        json.put("read", read);
        return json;
    }

    public void print(PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "%,d events for %,d calls of %,d processes over %.1f s, %,d dropped%n",
                counts.events(),
                counts.callCount(),
                counts.processes(),
                counts.spanNanos() / 1e9,
                read.dropped());
        out.printf(
                Locale.ROOT,
                "%,d files, %,d streams, %,d bytes read, %,d written%n",
                counts.files(),
                counts.streams(),
                counts.bytesRead(),
                counts.bytesWritten());
        counts.unseen().forEach((reason, count) -> out.printf(Locale.ROOT, "%,d not seen: %s%n", count, reason));
        counts.irregular().forEach((kind, count) -> out.printf(Locale.ROOT, "%,d irregular: %s%n", count, kind));
        counts.elsewhere()
                .forEach((where, bytes) -> out.printf(Locale.ROOT, "%,d bytes of no file: %s%n", bytes, where));
        out.printf(Locale.ROOT, "%,d bytes of trace, %.2f per event%n%n", stored, bytesPerEvent());
        out.printf("%-24s %12s %12s %8s %16s %12s%n", "call", "events", "calls", "failed", "bytes", "seconds");
        for (TraceSummary.CallCount c : counts.calls()) {
            out.printf(
                    Locale.ROOT,
                    "%-24s %,12d %,12d %,8d %,16d %,12.3f%n",
                    c.call(),
                    c.events(),
                    c.calls(),
                    c.failed(),
                    c.bytes(),
                    c.nanos() / 1e9);
        }
    }
}
