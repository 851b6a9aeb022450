package io.packing.trace.syscalls;

import io.packing.trace.TraceEvent;
import io.packing.trace.TraceSource;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;

/**
 * The events of what strace or DTrace prints, as it comes: of a running command, or of a log. The notes that sum it up come last.
 * Memory grows with the number of files and tasks. Confined to one thread.
 */
public final class CallSource implements TraceSource {
    /** A multiple of it numbers the first open file, so that recordings of one machine can be merged. */
    private static final int STREAM_BITS = 20;

    private static final long STREAM_STARTS = 1L << 26;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final InputStream in;
    private final Deque<TraceEvent> ready = new ArrayDeque<>();
    private final Recording recording;
    private final CallModel model;
    private final LogReader reader;
    private boolean finished;

    /** How a log is read. */
    private interface Format {
        LogReader reader(InputStream in, long startNanos, CallSink sink);
    }

    private CallSource(
            Format format,
            InputStream in,
            String host,
            String task,
            long startNanos,
            InitialState initial,
            Inherited inherited) {
        this.in = in;
        long firstStream = (startNanos / NANOS_PER_MILLI & (STREAM_STARTS - 1)) << STREAM_BITS;
        this.recording = new Recording(host, task, firstStream, new FileTree(initial), ready::add);
        recording.startsAt(startNanos);
        Tasks tasks = new Tasks(inherited.descriptors(recording), inherited.directory());
        this.model = new CallModel(recording, tasks);
        this.reader = format.reader(in, startNanos, model);
    }

    private static LogReader strace(InputStream in, long startNanos, CallSink sink) {
        return new StraceReader(in, new StraceClock(startNanos), sink);
    }

    /**
     * Reads a log of strace that somebody else made.
     *
     * @param log closed with this source
     * @param host whose kernel it is of
     * @param task a name for what was recorded
     * @param startNanos when it was made, nanoseconds since 1970, for logs that do not say
     */
    public static CallSource ofLog(InputStream log, String host, String task, long startNanos) {
        return new CallSource(CallSource::strace, log, host, task, startNanos, InitialState.UNKNOWN, Inherited.NOTHING);
    }

    /**
     * Reads a log of DTrace's dtruss, of a Mac.
     *
     * @param log closed with this source
     * @param host whose kernel it is of
     * @param task a name for what was recorded
     * @param startNanos when it was made, nanoseconds since 1970, which the log does not say
     */
    public static CallSource ofDtraceLog(InputStream log, String host, String task, long startNanos) {
        return new CallSource(DtraceReader::new, log, host, task, startNanos, InitialState.UNKNOWN, Inherited.NOTHING);
    }

    /** Reads what strace tells of a command that runs. */
    static CallSource ofCommand(
            InputStream lines, String host, String task, long startNanos, Snapshot snapshot, Inherited inherited) {
        CallSource source = new CallSource(CallSource::strace, lines, host, task, startNanos, snapshot, inherited);
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

    /** What left no event, by reason. */
    public Map<Unseen, Long> unseen() {
        return Map.copyOf(recording.unseen());
    }

    /** What disturbed the recording, by kind; known when the source has ended. */
    public Map<Irregularity, Long> irregular() {
        return Map.copyOf(recording.irregular());
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
