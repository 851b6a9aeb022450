// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import io.packing.trace.TraceEvent;
import io.packing.trace.TraceSource;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;

/**
 * The events of the output of strace, DTrace or the kernel's programs, as it comes: of a running command, or of a log. Notes at the end sum
 * the recording up. Memory grows with the number of files and tasks. Confined to one thread.
 */
public final class CallSource implements TraceSource {
    /** The bits for open files in a recording. The start time above them separates the numbers of merged recordings. */
    private static final int STREAM_BITS = 20;

    private static final long STREAM_STARTS = 1L << 26;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Closeable in;
    private final Deque<TraceEvent> ready = new ArrayDeque<>();
    private final Recording recording;
    private final CallModel model;
    private final LogReader reader;
    private boolean finished;

    /** A format of logs. */
    private interface Format {
        LogReader reader(long startNanos, CallSink sink);
    }

    private CallSource(
            Format format,
            Closeable in,
            String host,
            String task,
            long startNanos,
            InitialState initial,
            InheritedState inherited) {
        this.in = in;
        long firstStream = (startNanos / NANOS_PER_MILLI & (STREAM_STARTS - 1)) << STREAM_BITS;
        this.recording = new Recording(host, task, firstStream, new FileTree(initial), ready::add);
        recording.startsAt(startNanos);
        Tasks tasks = new Tasks(inherited.descriptors(recording), inherited.directory());
        this.model = new CallModel(recording, tasks);
        this.reader = format.reader(startNanos, model);
    }

    private static Format strace(InputStream in) {
        return (startNanos, sink) -> new StraceReader(in, new StraceClock(startNanos), sink);
    }

    /**
     * Reads a log of strace from another recorder.
     *
     * @param log closed with this source
     * @param host machine of the recording
     * @param task name for the recorded program
     * @param startNanos time of the recording, nanoseconds since 1970, for logs without a date
     */
    public static CallSource ofLog(InputStream log, String host, String task, long startNanos) {
        return new CallSource(strace(log), log, host, task, startNanos, InitialState.UNKNOWN, InheritedState.NOTHING);
    }

    /**
     * Reads a log of DTrace's dtruss from a Mac.
     *
     * @param log closed with this source
     * @param host machine of the recording
     * @param task name for the recorded program
     * @param startNanos time of the recording, nanoseconds since 1970, which the log does not have
     */
    public static CallSource ofDtraceLog(InputStream log, String host, String task, long startNanos) {
        return new CallSource(
                (start, sink) -> new DtraceReader(log, start, sink),
                log,
                host,
                task,
                startNanos,
                InitialState.UNKNOWN,
                InheritedState.NOTHING);
    }

    /** Reads strace's output of a running command. */
    static CallSource ofCommand(
            InputStream lines,
            String host,
            String task,
            long startNanos,
            InitialFiles snapshot,
            InheritedState inherited) {
        CallSource source = new CallSource(strace(lines), lines, host, task, startNanos, snapshot, inherited);
        snapshot.entries().forEach(source.recording::snapshot);
        return source;
    }

    /**
     * Reads the records of the kernel's programs about a running command.
     *
     * @param first the command's first thread
     */
    static CallSource ofKernel(
            KernelReader.Records records,
            int first,
            String host,
            String task,
            long startNanos,
            InitialFiles snapshot,
            InheritedState inherited)
            throws IOException {
        CallTable table = CallTable.read();
        KernelNames names = KernelNames.read();
        CallSource source = new CallSource(
                (start, sink) -> new KernelReader(records, sink, table, names, first, start),
                () -> {},
                host,
                task,
                startNanos,
                snapshot,
                inherited);
        source.recording.resolvesBy(new RealPaths()::of);
        source.recording.tracesFaults();
        snapshot.entries().forEach(source.recording::snapshot);
        return source;
    }

    @Override
    public Optional<TraceEvent> next() throws IOException {
        while (ready.isEmpty() && !finished) {
            if (!reader.step()) {
                model.finish(reader.clockSteps());
                finished = true;
            }
        }
        return Optional.ofNullable(ready.poll());
    }

    /** Returns the counts of operations that left no event, by reason. */
    public Map<UnrecordedReason, Long> unseen() {
        return Map.copyOf(recording.unseen());
    }

    /** Returns the counts of disturbances of the recording, by kind; complete at the end of the source. */
    public Map<Irregularity, Long> irregular() {
        return Map.copyOf(recording.irregular());
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
