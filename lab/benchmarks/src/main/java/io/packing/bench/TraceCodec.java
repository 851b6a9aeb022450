// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import com.sun.management.ThreadMXBean;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFileReader;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceFiles;
import io.packing.trace.TraceSource;
import io.packing.trace.synth.SynthOptions;
import io.packing.trace.synth.SynthTrace;
import io.packing.trace.tools.HtfsCsvSink;
import io.packing.trace.tools.HtfsCsvSource;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A benchmark of the trace format beside the original tracer's gzipped lines. It encodes and decodes equal events in
 * both forms, alternately on one thread, and prints bytes per event and events per second of processor time. The lines
 * hold less: no thread, user, wall clock, path of each call, or calls that the original did not know.
 *
 * <p>Usage: {@code trace-codec [events] [TRACE ...]}; without a trace a synthetic one of Facebook Messages.
 */
public final class TraceCodec {
    private static final int ROUNDS = 5;
    /** The least events of a synthetic trace, above the generator's own minimum of a million. */
    private static final long LEAST_SYNTHETIC = 20_000_000;

    private static final ThreadMXBean THREADS =
            (ThreadMXBean) ManagementFactory.getPlatformMXBean(java.lang.management.ThreadMXBean.class);

    private TraceCodec() {}

    private interface Work {
        long run() throws IOException;
    }

    public static void main(String[] args) throws IOException {
        int most = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
        List<TraceEvent> events =
                events(most, Arrays.stream(args).skip(1).map(Path::of).toList());
        Path directory = Files.createTempDirectory("trace-codec");
        Map<String, double[]> nanos = new LinkedHashMap<>();
        long trace = 0;
        long csv = 0;
        long csvEvents = 0;
        try {
            for (int round = 0; round < ROUNDS; round++) {
                Path file = directory.resolve(round + ".htfs");
                Path lines = directory.resolve(round + ".csv.gz");
                time(nanos, "encode trace", round, () -> encode(events, file));
                time(nanos, "decode trace", round, () -> drain(TraceFileReader.open(file)));
                csvEvents = time(nanos, "encode csv.gz", round, () -> encodeCsv(events, lines));
                time(nanos, "decode csv.gz", round, () -> drain(csv(lines)));
                trace = Files.size(file);
                csv = Files.size(lines);
            }
        } finally {
            Phase.deleteTree(directory);
        }
        System.out.printf(Locale.ROOT, "%,d events, median of %d rounds%n", events.size(), ROUNDS);
        System.out.printf(
                Locale.ROOT,
                "trace: %.2f bytes per event; csv.gz: %.2f of the %,d events that it can hold%n",
                (double) trace / events.size(),
                (double) csv / csvEvents,
                csvEvents);
        Map<String, Double> json = new LinkedHashMap<>();
        json.put("events", (double) events.size());
        json.put("trace_bytes_per_event", (double) trace / events.size());
        json.put("csv_gz_bytes_per_event", (double) csv / csvEvents);
        nanos.forEach((what, all) -> {
            Arrays.sort(all);
            double median = all[ROUNDS / 2];
            System.out.printf(
                    Locale.ROOT,
                    "%-14s %6.0f ns of processor per event: %,12.0f events/s (%.0f to %.0f ns)%n",
                    what,
                    median,
                    1e9 / median,
                    all[0],
                    all[ROUNDS - 1]);
            json.put(what.replaceAll("[ .]", "_") + "_ns", median);
        });
        System.out.println(Measure.json(json));
    }

    private static List<TraceEvent> events(int most, List<Path> traces) throws IOException {
        List<TraceEvent> events = new ArrayList<>();
        try (TraceSource source = traces.isEmpty()
                ? SynthTrace.open(SynthOptions.of(Math.max(LEAST_SYNTHETIC, most), 42))
                : TraceFiles.open(traces)) {
            Optional<TraceEvent> next = source.next();
            while (next.isPresent() && events.size() < most) {
                events.add(next.get());
                next = source.next();
            }
        }
        return events;
    }

    private static long time(Map<String, double[]> nanos, String what, int round, Work work) throws IOException {
        long cpu = THREADS.getCurrentThreadCpuTime();
        long events = work.run();
        nanos.computeIfAbsent(what, key -> new double[ROUNDS])[round] =
                (double) (THREADS.getCurrentThreadCpuTime() - cpu) / events;
        return events;
    }

    private static long encode(List<TraceEvent> events, Path file) throws IOException {
        try (TraceFileWriter writer = TraceFileWriter.create(file)) {
            for (TraceEvent event : events) {
                writer.write(event);
            }
        }
        return events.size();
    }

    private static long encodeCsv(List<TraceEvent> events, Path file) throws IOException {
        HtfsCsvSink sink = new HtfsCsvSink(new BufferedWriter(new OutputStreamWriter(
                new GZIPOutputStream(Files.newOutputStream(file), 1 << 16), StandardCharsets.UTF_8)));
        try (sink) {
            for (TraceEvent event : events) {
                sink.write(event);
            }
        }
        return events.size() - sink.leftOut();
    }

    private static TraceSource csv(Path file) throws IOException {
        return new HtfsCsvSource(
                new BufferedReader(new InputStreamReader(
                        new GZIPInputStream(Files.newInputStream(file), 1 << 16), StandardCharsets.UTF_8)),
                "host",
                0);
    }

    private static long drain(TraceSource source) throws IOException {
        long events = 0;
        try (source) {
            while (source.next().isPresent()) {
                events++;
            }
        }
        return events;
    }
}
