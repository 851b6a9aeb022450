// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.cli.launch.Narrator;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFiles;
import io.packing.trace.TraceReport;
import io.packing.trace.TraceSelection;
import io.packing.trace.TraceSource;
import io.packing.trace.hadoop.HadoopReplay;
import io.packing.trace.syscalls.replay.SystemReplay;
import io.packing.trace.tools.replay.ReplayReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Traces as loads. */
@Command(
        name = "replay",
        description = {
            "Makes the calls of a trace again, with content of no meaning, on any Hadoop file system or below any "
                    + "directory.",
            "Files that the trace reads and did not write are made first. Calls on one file keep their order."
        })
final class ReplayCommand implements Callable<Integer> {
    private static final String DEFAULT_ROOT = "/packing-replay";
    private static final long PROGRESS_MASK = (1 << 12) - 1;

    @Mixin
    private Report report = new Report();

    @Mixin
    private TraceSelectionOptions selection = new TraceSelectionOptions();

    @Parameters(
            paramLabel = "TRACE",
            arity = "1..*",
            description = "Trace files, or directories of *.htfs files; read as one trace, by time.")
    private List<Path> traces = List.of();

    @Option(
            names = "--fs",
            paramLabel = "URI",
            description = "The file system for calls of HDFS clients, such as file:///.")
    private Optional<URI> fs = Optional.empty();

    @Option(
            names = "--root",
            paramLabel = "DIR",
            description = "What the trace's / becomes; a new or empty directory (default: /packing-replay of --fs).")
    private Optional<String> root = Optional.empty();

    @Option(names = "--timed", description = "Make each call at its time, instead of as fast as possible.")
    private boolean timed;

    @Option(names = "--speed", description = "Times faster than the trace; with --timed (default: 1).")
    private Optional<Double> speed = Optional.empty();

    @Option(
            names = "--threads",
            defaultValue = "8",
            description = "Threads that make calls (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--hadoop-conf-dir", description = "A directory with core-site.xml and hdfs-site.xml.")
    private Optional<Path> hadoopConf = Optional.empty();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (speed.isPresent() && (!timed || !(speed.get() > 0))) {
            throw new IllegalArgumentException("--speed: above 0, and with --timed");
        }
        TraceSelection wanted = selection.selection();
        Input input = count(wanted);
        long begin = System.nanoTime();
        try (ProgressBar bar = new Narrator(report.isJson()).bar("replay", input.events())) {
            LongConsumer progress = done -> {
                if ((done & PROGRESS_MASK) == 0 || done == input.events()) {
                    bar.stepTo(done);
                }
            };
            ReplayReport result = input.system() ? onDirectory(wanted, progress) : onHadoop(wanted, progress);
            report.print(result, out -> print(out, result, (System.nanoTime() - begin) / 1e9));
        }
        return TraceOutcome.of(input.read(), report.err());
    }

    private double speedOrNone() {
        return timed ? speed.orElse(1.0) : 0;
    }

    private ReplayReport onHadoop(TraceSelection wanted, LongConsumer progress)
            throws IOException, InterruptedException {
        URI uri = fs.orElseThrow(() -> new IllegalArgumentException("--fs: name the file system, such as file:///"));
        HadoopReplay.ReplayOptions settings =
                new HadoopReplay.ReplayOptions(root.orElse(DEFAULT_ROOT), threads, speedOrNone());
        // Timed waits and the clock of durations start when the replay does, not when its files are made.
        Start start = new Start();
        return HadoopReplay.on(
                uri,
                hadoopConf,
                settings,
                System::nanoTime,
                start::until,
                progress,
                () -> wanted.of(TraceFiles.open(traces)));
    }

    private ReplayReport onDirectory(TraceSelection wanted, LongConsumer progress)
            throws IOException, InterruptedException {
        if (fs.isPresent() && !"file".equals(fs.get().getScheme())) {
            throw new IllegalArgumentException(
                    "--fs: the trace holds system calls, which are replayed below a directory: mount the file system,"
                            + " and name a directory in it with --root");
        }
        Path directory = Path.of(root.orElseThrow(
                () -> new IllegalArgumentException("--root: name a new or empty directory for the trace's /")));
        Start start = new Start();
        return new SystemReplay(directory, speedOrNone(), System::nanoTime, start::until, progress)
                .run(() -> wanted.of(TraceFiles.open(traces)));
    }

    /** The numbers of events to replay, and the report of the traces' reading. */
    private record Input(long events, boolean system, TraceReport read) {}

    private Input count(TraceSelection wanted) throws IOException {
        long events = 0;
        long system = 0;
        try (TraceFiles files = TraceFiles.open(traces)) {
            TraceSource source = wanted.of(files);
            for (Optional<TraceEvent> next = source.next(); next.isPresent(); next = source.next()) {
                events++;
                system += SystemReplay.isSystem(next.get()) ? 1 : 0;
            }
            if (system > 0 && system < events) {
                throw new IllegalArgumentException(
                        "the traces hold calls of HDFS clients and system calls: replay them one after the other");
            }
            return new Input(events, system > 0, files.report());
        }
    }

    /** The time of the first call. */
    private static final class Start {
        private long nanos;
        private boolean begun;

        void until(long due) throws InterruptedException {
            if (!begun) {
                begun = true;
                nanos = System.nanoTime();
            }
            long left = nanos + due - System.nanoTime();
            while (left > 0) {
                LockSupport.parkNanos(left);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                left = nanos + due - System.nanoTime();
            }
        }
    }

    private static void print(PrintWriter out, ReplayReport result, double allSeconds) {
        out.printf(
                Locale.ROOT,
                "%,d events, %,d calls, %,d bytes in %.1f s; %,d files of %,d bytes made before (%.1f s in all)%n",
                result.events(),
                result.calls(),
                result.bytes(),
                result.seconds(),
                result.preparedFiles(),
                result.preparedBytes(),
                allSeconds);
        out.printf(
                Locale.ROOT,
                "%,d calls failed, %,d events ended otherwise than in the trace, at most %.3f s late%n%n",
                result.errors(),
                result.mismatches(),
                result.latestSeconds());
        out.printf("%-24s %12s %16s %8s %10s %12s%n", "call", "calls", "bytes", "failed", "otherwise", "seconds");
        for (ReplayReport.Kind kind : result.byCall()) {
            out.printf(
                    Locale.ROOT,
                    "%-24s %,12d %,16d %,8d %,10d %,12.3f%n",
                    kind.call(),
                    kind.calls(),
                    kind.bytes(),
                    kind.errors(),
                    kind.mismatches(),
                    kind.nanos() / 1e9);
        }
        result.skipped().forEach((call, count) -> out.printf(Locale.ROOT, "not replayed: %,d of %s%n", count, call));
        result.examples().forEach(example -> out.println("otherwise: " + example));
    }
}
