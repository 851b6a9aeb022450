package io.packing.cli;

import io.packing.cli.rig.Narrator;
import io.packing.trace.TraceFiles;
import io.packing.trace.TraceReport;
import io.packing.trace.TraceSelection;
import io.packing.trace.TraceSource;
import io.packing.trace.hadoop.Replay;
import io.packing.trace.hadoop.ReplayReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Traces as loads. */
@Command(
        name = "replay",
        description = {
            "Makes the calls of a trace again on any Hadoop file system, with content of no meaning.",
            "Files that the trace reads and did not write are made first. Calls on one file keep their " + "order."
        })
final class ReplayCommand implements Callable<Integer> {
    private static final long PROGRESS_MASK = (1 << 12) - 1;

    @Mixin
    private Report report = new Report();

    @Mixin
    private Selection selection = new Selection();

    @Parameters(
            paramLabel = "TRACE",
            arity = "1..*",
            description = "Trace files, or directories of *.htfs files; read as one trace, by time.")
    private List<Path> traces = List.of();

    @Option(names = "--fs", paramLabel = "URI", required = true, description = "The file system, such as file:///.")
    private URI fs = URI.create("file:///");

    @Option(
            names = "--root",
            paramLabel = "DIR",
            defaultValue = "/packing-replay",
            description = "What the trace's / becomes; a new or empty directory (default: ${DEFAULT-VALUE}).")
    private String root = "";

    @Option(names = "--timed", description = "Make each call at its time, instead of as fast as possible.")
    private boolean timed;

    @Option(names = "--speed", description = "Times faster than the trace; with --timed (default: 1).")
    private Optional<Double> speed = Optional.empty();

    @Option(
            names = "--threads",
            defaultValue = "8",
            description = "Threads that make calls (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(names = "--hadoop-conf", description = "A directory with core-site.xml and hdfs-site.xml.")
    private Optional<Path> hadoopConf = Optional.empty();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (speed.isPresent() && (!timed || !(speed.get() > 0))) {
            throw new IllegalArgumentException("--speed: above 0, and with --timed");
        }
        Replay.Settings settings = new Replay.Settings(root, threads, timed ? speed.orElse(1.0) : 0);
        TraceSelection wanted = selection.selection();
        Input input = count(wanted);
        long events = input.events();
        long begin = System.nanoTime();
        try (ProgressBar bar = new Narrator(report.isJson()).bar("replay", events)) {
            // Timed waits and the clock of durations start when the replay does, not when its files are made.
            Start start = new Start();
            ReplayReport result = Replay.on(
                    fs,
                    hadoopConf,
                    settings,
                    System::nanoTime,
                    start::until,
                    done -> {
                        if ((done & PROGRESS_MASK) == 0 || done == events) {
                            bar.stepTo(done);
                        }
                    },
                    () -> wanted.of(TraceFiles.open(traces)));
            report.print(result, out -> print(out, result, (System.nanoTime() - begin) / 1e9));
        }
        return TraceOutcome.of(input.read(), report.err());
    }

    /** What there is to replay, and what was read for it. */
    private record Input(long events, TraceReport read) {}

    private Input count(TraceSelection wanted) throws IOException {
        long events = 0;
        try (TraceFiles files = TraceFiles.open(traces)) {
            TraceSource source = wanted.of(files);
            while (source.next().isPresent()) {
                events++;
            }
            return new Input(events, files.report());
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
