// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceFileWriter.FileOptions;
import io.packing.trace.TraceFiles;
import io.packing.trace.TraceReport;
import io.packing.trace.TraceSink;
import io.packing.trace.TraceSource;
import io.packing.trace.tools.Anonymizer;
import io.packing.trace.tools.JsonLines;
import io.packing.trace.tools.TextLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands for traces of HDFS clients and of programs on Linux. */
@Command(
        name = "trace",
        description = "Reads, converts, checks, makes and analyzes traces of HDFS clients and of system calls.",
        subcommands = {RecordCommand.class, SynthCommand.class, ReplayCommand.class, AnalyzeCommand.class})
final class TraceCommand {
    private static final String TRACES = "Trace files, or directories of *.htfs files; read as one trace, by time.";

    @Command(name = "cat", description = "Prints every event, as a line of text or with --json as a line of JSON.")
    int cat(
            @Mixin Report report,
            @Mixin TraceSelectionOptions selection,
            @Parameters(paramLabel = "TRACE", arity = "1..*", description = TRACES) List<Path> traces,
            @Option(names = "--limit", defaultValue = "-1", description = "Events to print (default: all).") long limit)
            throws IOException {
        try (TraceFiles files = TraceFiles.open(traces);
                TraceSink sink = report.isJson() ? new JsonLines(report.out()) : new TextLines(report.text())) {
            TraceSource wanted = selection.selection().of(files);
            long left = limit < 0 ? Long.MAX_VALUE : limit;
            for (Optional<TraceEvent> event = first(wanted, left); event.isPresent(); event = first(wanted, --left)) {
                sink.write(event.get());
            }
            return TraceOutcome.of(files.report(), report.err());
        }
    }

    private static Optional<TraceEvent> first(TraceSource source, long left) throws IOException {
        return left == 0 ? Optional.empty() : source.next();
    }

    @Command(name = "summary", description = "Counts calls, bytes, files and streams.")
    int summary(
            @Mixin Report report,
            @Mixin TraceSelectionOptions selection,
            @Parameters(paramLabel = "TRACE", arity = "1..*", description = TRACES) List<Path> traces)
            throws IOException {
        SummaryOfTrace summary = SummaryOfTrace.read(traces, selection.selection());
        report.print(summary.json(), summary::print);
        return TraceOutcome.of(summary.read(), report.err());
    }

    @Command(
            name = "verify",
            description = "Reads traces whole and checks every checksum; 4 when some of it cannot be read.")
    int verify(
            @Mixin Report report,
            @Parameters(paramLabel = "TRACE", arity = "1..*", description = TRACES) List<Path> traces)
            throws IOException {
        TraceReport read;
        try (TraceFiles files = TraceFiles.open(traces)) {
            long events = 0;
            while (files.next().isPresent()) {
                events++;
            }
            read = files.report();
            if (events != read.events()) {
                throw new IllegalStateException(
                        "%,d events were read, and the report counts %,d".formatted(events, read.events()));
            }
        }
        report.print(read, out -> out.println(TraceOutcome.describe(read)));
        return TraceOutcome.of(read, report.err());
    }

    @Command(name = "merge", description = "Writes several traces into one file, by time.")
    int merge(
            @Mixin Report report,
            @Mixin TraceSelectionOptions selection,
            @Parameters(paramLabel = "TRACE", arity = "1..*", description = TRACES) List<Path> traces,
            @Option(names = "--out", paramLabel = "FILE", required = true, description = "A new trace file.") Path out)
            throws IOException {
        try (TraceFiles files = TraceFiles.open(traces);
                TraceFileWriter writer = TraceFileWriter.create(out, FileOptions.ofVersion(files.version()))) {
            long written = copy(selection.selection().of(files), writer);
            writer.dropped(files.report().dropped());
            return written(report, files.report(), written);
        }
    }

    @Command(
            name = "anonymize",
            description = {
                "Replaces names by keyed hashes; equal names stay equal, extensions and the names to keep " + "stay.",
                "Calls, times and sizes stay."
            })
    int anonymize(
            @Mixin Report report,
            @Mixin TraceSelectionOptions selection,
            @Parameters(paramLabel = "TRACE", arity = "1..*", description = TRACES) List<Path> traces,
            @Option(names = "--out", paramLabel = "FILE", required = true, description = "A new trace file.") Path out,
            @Option(
                            names = "--key-file",
                            paramLabel = "FILE",
                            required = true,
                            description = "At least 16 secret bytes; the same key gives the same names again.")
                    Path keyFile,
            @Option(
                            names = "--keep",
                            split = ",",
                            paramLabel = "NAME",
                            description = "Path components that stay, such as column families; HBase's own always do.")
                    List<String> keep,
            @Option(names = "--hash-threads", description = "Hash the names of threads, too.") boolean threads)
            throws IOException {
        Set<String> kept = new HashSet<>(Anonymizer.HBASE_NAMES);
        kept.addAll(keep == null ? List.of() : keep);
        Anonymizer anonymizer = new Anonymizer(Files.readAllBytes(keyFile), kept, threads);
        try (TraceFiles files = TraceFiles.open(traces);
                TraceFileWriter writer = TraceFileWriter.create(out, FileOptions.ofVersion(files.version()))) {
            TraceSource wanted = selection.selection().of(files);
            long written = 0;
            for (Optional<TraceEvent> event = wanted.next(); event.isPresent(); event = wanted.next()) {
                writer.write(anonymizer.anonymize(event.get()));
                written++;
            }
            writer.dropped(files.report().dropped());
            return written(report, files.report(), written);
        }
    }

    @Command(name = "convert", description = "Writes a trace in another format.")
    int convert(
            @Mixin Report report,
            @Mixin TraceSelectionOptions selection,
            @Parameters(paramLabel = "TRACE", arity = "1..*", description = TRACES) List<Path> traces,
            @Option(
                            names = "--to",
                            paramLabel = "FORMAT",
                            required = true,
                            description =
                                    "${COMPLETION-CANDIDATES}: JSON lines, Chrome's and Perfetto's JSON, libCacheSim's"
                                            + " binary requests, Parquet, or the original tracer's lines.")
                    TraceTarget target,
            @Option(names = "--out", paramLabel = "FILE", required = true, description = "A new file.") Path out,
            @Option(
                            names = "--block-size",
                            converter = ByteSize.class,
                            defaultValue = "64KB",
                            description = "Size of oracle_general's objects (default: ${DEFAULT-VALUE}).")
                    long blockSize)
            throws IOException {
        try (TraceFiles files = TraceFiles.open(traces);
                TraceSink sink = target.open(out, ByteSize.between("--block-size", blockSize, 1, 1 << 30))) {
            long written = copy(selection.selection().of(files), sink);
            return written(report, files.report(), written);
        }
    }

    @Command(
            name = "import",
            description = "Makes a trace of a log: of the original HTFS tracer, of strace, or of DTrace's dtruss.")
    int importLog(
            @Mixin Report report,
            @Parameters(paramLabel = "LOG", description = "The log; HTFS's may have a logger's prefix.") Path log,
            @Option(names = "--out", paramLabel = "FILE", required = true, description = "A new trace file.") Path out,
            @Option(
                            names = "--from",
                            paramLabel = "FORMAT",
                            defaultValue = "HTFS",
                            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
                    LogFormat format,
            @Option(
                            names = "--host",
                            defaultValue = "unknown",
                            description = "The machine it is from (default: ${DEFAULT-VALUE}).")
                    String host,
            @Option(
                            names = "--task",
                            defaultValue = "",
                            description =
                                    "A name for what strace or DTrace recorded; the analysis tells tasks apart by it.")
                    String task,
            @Option(
                            names = "--start",
                            defaultValue = "1970-01-01T00:00:00Z",
                            description = "When the traced process started (default: ${DEFAULT-VALUE}).")
                    Instant start)
            throws IOException {
        long wallNanos = Math.addExact(Math.multiplyExact(start.getEpochSecond(), 1_000_000_000L), start.getNano());
        Map<String, Object> result = format.convert(log, out, host, task, wallNanos);
        report.print(result, text -> result.forEach((name, value) -> text.printf("%s: %s%n", name, value)));
        return ExitCodes.OK;
    }

    static long copy(TraceSource from, TraceSink to) throws IOException {
        long events = 0;
        for (Optional<TraceEvent> event = from.next(); event.isPresent(); event = from.next()) {
            to.write(event.get());
            events++;
        }
        return events;
    }

    /** Reports a written trace: the reading of its sources, and its number of events. */
    private static int written(Report report, TraceReport read, long events) {
        Map<String, Object> json = Report.fields(read);
        json.put("written", events);
        report.print(json, text -> {
            text.println(TraceOutcome.describe(read));
            if (events != read.events()) {
                text.printf(Locale.ROOT, "%,d of them written%n", events);
            }
        });
        return TraceOutcome.of(read, report.err());
    }
}
