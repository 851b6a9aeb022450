// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.hadoop;

import io.packing.trace.Call;
import io.packing.trace.Subject;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceOrigin;
import io.packing.trace.TraceSource;
import io.packing.trace.tools.replay.Lanes;
import io.packing.trace.tools.replay.Pace;
import io.packing.trace.tools.replay.ReplayReport;
import io.packing.trace.tools.replay.ReplayTally;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * A replay of a trace's calls on any Hadoop file system, with random content.
 *
 * <p>One thread makes the calls on one file, in the trace's order. A call that concerns several files (a rename, a
 * delete, a listing) waits for all calls before it, and the calls behind it wait for it. The replay makes the files
 * beforehand that the trace reads and never wrote.
 */
public final class HadoopReplay {
    /** A trace that can be read several times. */
    public interface Trace {
        TraceSource open() throws IOException;
    }

    /**
     * The settings of a replay.
     *
     * @param root directory that stands for the trace's {@code /}; empty or absent
     * @param threads that make calls
     * @param speed relative to the trace's time: 1 keeps its pace, 0 waits for nothing
     */
    public record ReplayOptions(String root, int threads, double speed) {
        public ReplayOptions {
            if (!root.startsWith("/") || threads < 1 || !(speed >= 0)) {
                throw new IllegalArgumentException(
                        "a replay below '%s' by %d threads at speed %s".formatted(root, threads, speed));
            }
        }
    }

    private record StreamKey(TraceOrigin origin, long stream) {}

    private final FileSystem fs;
    private final ReplayOptions settings;
    private final LongSupplier nanos;
    private final Pace pace;
    private final LongConsumer progress;
    private final Map<StreamKey, OpenStream> streams = new ConcurrentHashMap<>();
    private final ReplayTally tally = new ReplayTally();
    private final byte[] content = OpenStream.noise(1);
    private final byte[] space = new byte[OpenStream.MOST_BYTES];

    /**
     * @param nanos monotonic nanoseconds
     * @param progress learns from time to time how many events the replay has made
     */
    public HadoopReplay(FileSystem fs, ReplayOptions settings, LongSupplier nanos, Pace pace, LongConsumer progress) {
        this.fs = fs;
        this.settings = settings;
        this.nanos = nanos;
        this.pace = pace;
        this.progress = progress;
    }

    /**
     * Replays a trace on the file system of a URI.
     *
     * @param hadoopConf a directory with core-site.xml and hdfs-site.xml
     */
    public static ReplayReport on(
            URI uri,
            Optional<java.nio.file.Path> hadoopConf,
            ReplayOptions settings,
            LongSupplier nanos,
            Pace pace,
            LongConsumer progress,
            Trace trace)
            throws IOException, InterruptedException {
        Configuration conf = new Configuration();
        if (hadoopConf.isPresent()) {
            for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
                conf.addResource(new Path(hadoopConf.get().resolve(file).toUri()));
            }
        }
        try (FileSystem fs = FileSystem.newInstance(uri, conf)) {
            return new HadoopReplay(fs, settings, nanos, pace, progress).run(trace);
        }
    }

    /**
     * Reads the trace twice: first for the files that it needs, then for its calls.
     *
     * @throws IllegalArgumentException when the root is not empty, since a replay deletes and overwrites files
     */
    public ReplayReport run(Trace trace) throws IOException, InterruptedException {
        Path root = at("");
        if (fs.exists(root) && fs.listStatus(root).length > 0) {
            throw new IllegalArgumentException(
                    "%s is not empty, and a replay deletes and overwrites: name another directory".formatted(root));
        }
        fs.mkdirs(root);
        Map<String, Long> prepared = prepare(trace);
        long begin = nanos.getAsLong();
        long events = 0;
        long first = Long.MIN_VALUE;
        long latest = 0;
        try (TraceSource source = trace.open();
                Lanes lanes = new Lanes(settings.threads())) {
            for (Optional<TraceEvent> next = source.next(); next.isPresent(); next = source.next()) {
                TraceEvent event = next.get();
                first = first == Long.MIN_VALUE ? event.wallNanos() : first;
                if (settings.speed() > 0) {
                    long due = (long) ((event.wallNanos() - first) / settings.speed());
                    pace.until(due);
                    latest = Math.max(latest, nanos.getAsLong() - begin - due);
                }
                dispatch(event, lanes);
                progress.accept(++events);
            }
            lanes.settle();
        }
        double seconds = (nanos.getAsLong() - begin) / 1e9;
        for (OpenStream left : streams.values()) {
            left.close();
        }
        long bytes = prepared.values().stream().mapToLong(Long::longValue).sum();
        return new ReplayReport(
                events,
                tally.kinds(),
                tally.skipped(),
                prepared.size(),
                bytes,
                tally.examples(),
                seconds,
                latest / 1e9);
    }

    private Path at(String path) {
        String root = settings.root().equals("/") ? "" : settings.root();
        // Path(parent, child) would take a colon in a name for the end of a scheme.
        return new Path(fs.getUri().getScheme(), fs.getUri().getAuthority(), root + (path.isEmpty() ? "/" : path));
    }

    private Map<String, Long> prepare(Trace trace) throws IOException {
        Prerequisites needs = new Prerequisites();
        try (TraceSource source = trace.open()) {
            for (Optional<TraceEvent> next = source.next(); next.isPresent(); next = source.next()) {
                needs.add(next.get());
            }
        }
        for (String directory : needs.directories()) {
            fs.mkdirs(at(directory));
        }
        Map<String, Long> files = needs.files();
        for (Map.Entry<String, Long> file : files.entrySet()) {
            try (FSDataOutputStream out = fs.create(at(file.getKey()))) {
                for (long left = file.getValue(); left > 0; left -= Math.min(left, content.length)) {
                    out.write(content, 0, (int) Math.min(left, content.length));
                }
            }
        }
        return files;
    }

    private void dispatch(TraceEvent event, Lanes lanes) throws InterruptedException {
        if (HadoopCalls.standsAlone(event.call())) {
            lanes.settle();
            lanes.run(event.path(), () -> replay(event));
            lanes.settle();
        } else {
            lanes.run(event.path(), () -> replay(event));
        }
    }

    private void replay(TraceEvent event) {
        if (HadoopCalls.isOfListing(event)) {
            return;
        }
        Subject subject = event.call().subject();
        boolean onStream = subject == Subject.INPUT || subject == Subject.OUTPUT;
        if (event.path().isEmpty() || !(onStream || opens(event.call()) || HadoopCalls.isReplayed(event.call()))) {
            tally.skipped(event.call());
            return;
        }
        long begin = nanos.getAsLong();
        long[] calls = new long[1];
        long result = TraceEvent.NONE;
        String error = "";
        try {
            result = onStream ? onStream(event, calls) : onFileSystem(event, calls);
        } catch (UnsupportedOperationException e) {
            if (!event.failed()) {
                tally.skipped(event.call());
                return;
            }
            error = e.getClass().getSimpleName();
        } catch (IOException | RuntimeException e) {
            error = e.getClass().getSimpleName();
        }
        boolean moves = event.call().reads() || event.call().writes();
        long bytes = moves ? Math.max(0, result) : 0;
        tally.made(event.call(), Math.max(1, calls[0]), bytes, !error.isEmpty(), nanos.getAsLong() - begin);
        compare(event, result, error);
    }

    private void compare(TraceEvent event, long result, String error) {
        boolean sameFailure = event.failed() == !error.isEmpty();
        boolean sameResult = event.failed()
                || event.result() == TraceEvent.NONE
                || result == TraceEvent.NONE
                || result == event.result();
        if (!sameFailure || !sameResult) {
            tally.differs(event, event.result(), result, error);
        }
    }

    private static boolean opens(Call call) {
        return isInput(call) || isOutput(call);
    }

    private static boolean isInput(Call call) {
        return call == Call.OPEN || call == Call.OPEN_FILE || call == Call.OPEN_PATH_HANDLE;
    }

    private static boolean isOutput(Call call) {
        return call.id() >= Call.CREATE.id() && call.id() <= Call.APPEND_FILE.id();
    }

    private long onFileSystem(TraceEvent event, long[] calls) throws IOException {
        calls[0] = 1;
        if (!opens(event.call())) {
            return HadoopCalls.make(fs, event, at(event.path()), at(event.target()));
        }
        OpenStream stream = isInput(event.call()) ? input(event) : output(event);
        if (event.stream() == TraceEvent.NONE) {
            // The call failed in the trace, so the trace never closes the stream.
            stream.close();
        } else {
            streams.put(new StreamKey(event.origin(), event.stream()), stream);
        }
        return TraceEvent.NONE;
    }

    private OpenStream input(TraceEvent event) throws IOException {
        Path path = at(event.path());
        if (event.call() != Call.OPEN_FILE) {
            return new OpenStream.In(fs.open(path), space);
        }
        try {
            return new OpenStream.In(fs.openFile(path).build().get(), space);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
        }
    }

    private OpenStream output(TraceEvent event) throws IOException {
        Path path = at(event.path());
        boolean overwrite = !event.hints().contains("overwrite=false");
        FSDataOutputStream out = switch (event.call()) {
            case APPEND -> fs.append(path);
            case APPEND_FILE -> build(fs.appendFile(path));
            case CREATE_FILE -> build(fs.createFile(path).overwrite(overwrite).recursive());
            case CREATE_NON_RECURSIVE ->
                fs.createNonRecursive(
                        path, overwrite, 4_096, fs.getDefaultReplication(path), fs.getDefaultBlockSize(path), null);
            default -> fs.create(path, overwrite);
        };
        return new OpenStream.Out(out, content);
    }

    private static FSDataOutputStream build(FSDataOutputStreamBuilder<?, ?> builder) throws IOException {
        return (FSDataOutputStream) builder.build();
    }

    private long onStream(TraceEvent event, long[] calls) throws IOException {
        StreamKey key = new StreamKey(event.origin(), event.stream());
        OpenStream stream = streams.get(key);
        boolean closes = event.call() == Call.CLOSE_INPUT || event.call() == Call.CLOSE_OUTPUT;
        if (stream == null) {
            if (closes) {
                throw new FileNotFoundException("the stream is not open");
            }
            stream = reopen(event);
            streams.put(key, stream);
        }
        if (stream instanceof OpenStream.In in) {
            in.align(event);
        }
        long length = Math.max(0, event.length());
        long result = TraceEvent.NONE;
        for (int i = 0; i < event.count(); i++) {
            // The first call moves the remainder of the division, too.
            long share = length / event.count() + (i == 0 ? length % event.count() : 0);
            long moved = all(stream, event, share, calls);
            result = i == 0 || moved == TraceEvent.NONE ? moved : result + moved;
        }
        if (closes) {
            streams.remove(key);
        }
        return result;
    }

    private static long all(OpenStream stream, TraceEvent event, long length, long[] calls) throws IOException {
        long left = length;
        long sum = TraceEvent.NONE;
        do {
            calls[0]++;
            int share = (int) Math.min(left, OpenStream.MOST_BYTES);
            long moved = stream.call(event, share);
            sum = sum == TraceEvent.NONE ? moved : sum + Math.max(0, moved);
            left -= share;
        } while (left > 0 && event.call() == Call.WRITE);
        return sum;
    }

    /** Opens a stream that was open when the trace began. */
    private OpenStream reopen(TraceEvent event) throws IOException {
        Path path = at(event.path());
        if (event.call().subject() == Subject.INPUT) {
            return new OpenStream.In(fs.open(path), space);
        }
        @Nullable FSDataOutputStream out = fs.exists(path) ? fs.append(path) : fs.create(path);
        return new OpenStream.Out(out, content);
    }
}
