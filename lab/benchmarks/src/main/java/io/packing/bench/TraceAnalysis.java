// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import com.sun.management.OperatingSystemMXBean;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.analysis.Analysis;
import io.packing.trace.analysis.AnalysisReport;
import io.packing.trace.analysis.Findings;
import io.packing.trace.analysis.Rules;
import io.packing.trace.synth.SynthOptions;
import io.packing.trace.synth.SynthTrace;
import io.packing.trace.synth.Workload;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A benchmark of the trace analysis: makes a synthetic trace, analyzes it in this process, and prints the speed and the
 * differences to the paper's figures.
 *
 * <p>Usage: {@code trace-analysis [events] [seed] [report directory]}.
 */
public final class TraceAnalysis {
    private static final long FILE_EVENTS = 5_000_000;

    private TraceAnalysis() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        long events = args.length > 0 ? Long.parseLong(args[0]) : 50_000_000;
        long seed = args.length > 1 ? Long.parseLong(args[1]) : 42;
        Path directory = Files.createTempDirectory("trace-analysis");
        try {
            Path traces = Files.createDirectory(directory.resolve("traces"));
            Clock generating = new Clock();
            long generated = generate(events, seed);
            generating.print("generate", generated);
            Clock writing = new Clock();
            int files = write(events, seed, traces);
            writing.print("generate and write", generated);
            System.out.printf(
                    Locale.ROOT,
                    "%,d bytes in %d files, %.2f per event%n",
                    size(traces),
                    files,
                    size(traces) / (double) generated);
            Clock analyzing = new Clock();
            Findings found = new Analysis(
                            Rules.hbase(),
                            List.of(traces.toString()),
                            directory.toUri().toString(),
                            Optional.empty(),
                            Runtime.getRuntime().availableProcessors())
                    .run((number, of, what) -> {});
            analyzing.print("analyze", found.input().events());
            System.out.printf(Locale.ROOT, "%n%-46s %16s %16s %9s%n", "", "paper", "found", "apart");
            for (Published number : Published.compare(Workload.facebookMessages(), events, found)) {
                System.out.printf(
                        Locale.ROOT,
                        "%-46s %16.5g %16.5g %+8.2f%%%n",
                        number.what(),
                        number.paper(),
                        number.found(),
                        number.difference() * 100);
            }
            if (args.length > 2) {
                System.out.println(AnalysisReport.write(found, Path.of(args[2])));
            }
        } finally {
            delete(directory);
        }
    }

    private static long generate(long events, long seed) {
        long count = 0;
        try (SynthTrace trace = SynthTrace.open(SynthOptions.of(events, seed))) {
            while (trace.next().isPresent()) {
                count++;
            }
        }
        return count;
    }

    private static int write(long events, long seed, Path directory) throws IOException {
        int files = 0;
        try (SynthTrace trace = SynthTrace.open(SynthOptions.of(events, seed))) {
            Optional<TraceEvent> event = trace.next();
            while (event.isPresent()) {
                try (TraceFileWriter writer =
                        TraceFileWriter.create(directory.resolve("trace-%05d.htfs".formatted(++files)))) {
                    for (long i = 0; i < FILE_EVENTS && event.isPresent(); i++) {
                        writer.write(event.get());
                        event = trace.next();
                    }
                }
            }
        }
        return files;
    }

    private static long size(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** The wall and processor time since its construction. */
    private static final class Clock {
        private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        private final long wall = System.nanoTime();
        private final long cpu = system.getProcessCpuTime();

        void print(String what, long events) {
            double wallSeconds = (System.nanoTime() - wall) / 1e9;
            double cpuSeconds = (system.getProcessCpuTime() - cpu) / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "%s: %,d events in %.1f s (%,.0f/s), %.1f s of processor: %.1f million per minute and core%n",
                    what,
                    events,
                    wallSeconds,
                    events / wallSeconds,
                    cpuSeconds,
                    events / cpuSeconds * 60 / 1e6);
        }
    }
}
