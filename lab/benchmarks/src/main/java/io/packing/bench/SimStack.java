// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.packing.sim.Scale;
import io.packing.sim.layers.ConfigReader;
import io.packing.sim.layers.Simulation;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceFiles;
import io.packing.trace.TraceSource;
import io.packing.trace.synth.SynthOptions;
import io.packing.trace.synth.SynthTrace;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A benchmark of the full simulated stack: events a second and core. It reads a synthetic trace of three machines from
 * its files, as {@code packing trace synth} writes it, and plays it through HDFS, caches, schedulers and disks. The
 * stacks are the default (one machine simulated, as in the experiments), all three machines, and flash of two policies.
 *
 * <p>Usage: {@code sim-stack [events of each machine] [rounds]}.
 */
public final class SimStack {
    private static final int MACHINES = 3;

    /** The events of one of the paper's machines (§3.2.1). */
    private static final double MACHINE_EVENTS = 577_777_778;

    private SimStack() {}

    public static void main(String[] args) throws IOException {
        long events = args.length > 0 ? Long.parseLong(args[0]) : 2_000_000;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        Path directory = Files.createTempDirectory("sim-stack");
        try {
            List<Path> files = new ArrayList<>();
            for (int machine = 0; machine < MACHINES; machine++) {
                files.add(write(directory.resolve("rs-%d.htfs".formatted(machine + 1)), events, machine));
            }
            System.out.printf(
                    Locale.ROOT,
                    "%d machines of about %,d events; medians of %d rounds, millions of events/s of processor time%n",
                    MACHINES,
                    events,
                    rounds);
            print("read the trace", rounds, () -> drain(files));
            double share = events / MACHINE_EVENTS;
            for (String stack : List.of(
                    "", "hdfs.observe = all", "flash.size = 60 GB", "flash { size = 60 GB, policy = s3-fifo }")) {
                Config config = ConfigFactory.parseString(stack);
                print("full stack " + stack, rounds, () -> play(files, config, new Scale(share, share)));
            }
        } finally {
            delete(directory);
        }
    }

    /** A pass through the trace that counts its events. */
    private interface Work {
        long run() throws IOException;
    }

    private static void print(String what, int rounds, Work work) throws IOException {
        double[] rates = new double[rounds];
        for (int round = -1; round < rounds; round++) {
            long start = processorNanos();
            long events = work.run();
            if (round >= 0) {
                rates[round] = events / ((processorNanos() - start) / 1e9);
            }
        }
        Arrays.sort(rates);
        System.out.printf(
                Locale.ROOT,
                "%-50s %6.2f (%.2f to %.2f)%n",
                what,
                rates[rounds / 2] / 1e6,
                rates[0] / 1e6,
                rates[rounds - 1] / 1e6);
    }

    private static Path write(Path file, long events, int machine) throws IOException {
        try (SynthTrace trace = SynthTrace.open(new SynthOptions(events, 1, SynthOptions.DEFAULT_LENGTH, machine));
                TraceFileWriter writer = TraceFileWriter.create(file)) {
            for (Optional<TraceEvent> event = trace.next(); event.isPresent(); event = trace.next()) {
                writer.write(event.get());
            }
        }
        return file;
    }

    private static long drain(List<Path> files) throws IOException {
        long events = 0;
        for (Path file : files) {
            try (TraceFiles trace = TraceFiles.open(List.of(file))) {
                while (trace.next().isPresent()) {
                    events++;
                }
            }
        }
        return events;
    }

    private static long play(List<Path> files, Config stack, Scale scale) throws IOException {
        List<TraceSource> traces = new ArrayList<>();
        try {
            for (Path file : files) {
                traces.add(TraceFiles.open(List.of(file)));
            }
            long[] played = new long[1];
            new Simulation(ConfigReader.read(stack), scale)
                    .run(traces, MACHINES, List.of("rs-1", "rs-2", "rs-3"), events -> played[0] = events);
            return played[0];
        } finally {
            for (TraceSource trace : traces) {
                trace.close();
            }
        }
    }

    private static long processorNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
