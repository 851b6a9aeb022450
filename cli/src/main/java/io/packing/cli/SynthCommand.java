// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.cli.launch.Narrator;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceFiles;
import io.packing.trace.synth.SynthOptions;
import io.packing.trace.synth.SynthTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Synthetic traces of Facebook Messages. */
@Command(
        name = "synth",
        description = {
            "Writes a synthetic trace of Facebook Messages with the shares, sizes, lifetimes and intervals "
                    + "that the paper publishes of 8.3 days (docs/trace-synth.md).",
            "The same seed gives the same files."
        })
final class SynthCommand implements Callable<Integer> {
    private static final int PROGRESS_STEP = 1 << 16;

    @Mixin
    private Report report = new Report();

    @Option(
            names = "--events",
            required = true,
            description = "Events, about (the paper's trace: 5,200,000,000); at least 1,000,000.")
    private long events;

    @Option(names = "--seed", defaultValue = "1", description = "Seed (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--duration",
            defaultValue = "11952min",
            converter = TimeSpan.class,
            description = "Time from first to last event; all times shrink with it (default: 8.3 days).")
    private Duration length = SynthOptions.DEFAULT_LENGTH;

    @Option(
            names = "--machines",
            defaultValue = "1",
            description = "Machines that share the events; each has files of its own (default: ${DEFAULT-VALUE}).")
    private int machines;

    @Option(
            names = "--file-events",
            defaultValue = "5000000",
            description =
                    "Events per file: files are what the analysis works on in parallel (default: ${DEFAULT-VALUE}).")
    private long fileEvents;

    @Option(names = "--out", required = true, description = "Directory; made when missing.")
    private Path out = Path.of(".");

    private long written;
    private long bytes;
    private int files;

    @Override
    public Integer call() throws IOException {
        if (machines < 1 || fileEvents < 1) {
            throw new IllegalArgumentException("--machines and --file-events: at least 1");
        }
        Files.createDirectories(out);
        try (ProgressBar bar = new Narrator(report.isJson()).bar("events", events)) {
            for (int machine = 0; machine < machines; machine++) {
                machine(machine, bar);
            }
        }
        report.print(
                Map.of("events", written, "files", files, "bytes", bytes),
                text -> text.printf(
                        Locale.ROOT,
                        "%,d events in %,d files, %,d bytes (%.2f per event)%n",
                        written,
                        files,
                        bytes,
                        (double) bytes / Math.max(1, written)));
        return ExitCodes.OK;
    }

    private void machine(int machine, ProgressBar bar) throws IOException {
        SynthOptions options = new SynthOptions(events / machines, seed, length, machine);
        try (SynthTrace trace = SynthTrace.open(options)) {
            Optional<TraceEvent> event = trace.next();
            for (int number = 1; event.isPresent(); number++) {
                Path file = out.resolve("rs-%d-%05d%s".formatted(machine + 1, number, TraceFiles.SUFFIX));
                try (TraceFileWriter writer = TraceFileWriter.create(file)) {
                    for (long i = 0; i < fileEvents && event.isPresent(); i++) {
                        writer.write(event.get());
                        event = trace.next();
                        if (++written % PROGRESS_STEP == 0) {
                            bar.stepTo(written);
                        }
                    }
                }
                files++;
                bytes += Files.size(file);
            }
        }
    }
}
