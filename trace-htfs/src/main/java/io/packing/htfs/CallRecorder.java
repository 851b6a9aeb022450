// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import static io.packing.trace.TraceEvent.NONE;

import io.packing.htfs.record.CollapseLimits;
import io.packing.htfs.record.FileSystemInstance;
import io.packing.htfs.record.Recorder;
import io.packing.htfs.record.StreamRecorder;
import io.packing.trace.Call;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A recorder of the calls on one file system, for each kind of wrapper (Harter's thesis, §3.2.1).
 *
 * <p>The caller gets each result and exception of the traced call unchanged. A failure of the recorder itself never
 * reaches the caller, and counts as a dropped event. If a call makes other calls in its thread, only the outermost one
 * is recorded.
 */
public final class CallRecorder {
    private static final Logger LOG = LoggerFactory.getLogger(CallRecorder.class);

    private final Recorder recorder;
    private final FileSystemInstance caller;
    private final Supplier<@Nullable Path> workingDirectory;

    private CallRecorder(Recorder recorder, FileSystemInstance caller, Supplier<@Nullable Path> workingDirectory) {
        this.recorder = recorder;
        this.caller = caller;
        this.workingDirectory = workingDirectory;
    }

    /** Makes a recorder for a file system that is not initialized; its events have no reader. */
    public static CallRecorder silent() {
        Recorder nobody = new Recorder(1, new CollapseLimits(0, 0, 1), System::nanoTime, () -> {});
        return new CallRecorder(nobody, new FileSystemInstance(0, ""), () -> null);
    }

    /**
     * Makes a recorder of a new file system, into the trace of its configuration.
     *
     * @param workingDirectory base of relative paths; asked at the first one
     * @throws IllegalArgumentException naming a misspelt key of the configuration
     */
    public static CallRecorder of(Configuration conf, Supplier<@Nullable Path> workingDirectory) throws IOException {
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        try {
            ProcessTracer tracer = ProcessTracer.of(conf);
            return new CallRecorder(tracer.recorder(), tracer.newCaller(user), workingDirectory);
        } catch (IllegalStateException e) {
            // The process is shutting down: too late for a new trace, but not for the application's last files.
            LOG.warn("HTFS does not trace a file system that is opened during shutdown: {}", e.toString());
            return silent();
        }
    }

    /** A call of the traced file system. */
    public interface Body<T extends @Nullable Object> {
        T call() throws IOException;
    }

    /** A call that returns nothing. */
    public interface VoidBody {
        void call() throws IOException;
    }

    /**
     * Records a call with a result.
     *
     * @param result number of the result for the trace; may fail
     */
    public <T extends @Nullable Object> T call(Call call, On on, Body<T> body, ToLongFunction<T> result)
            throws IOException {
        Frame frame = Frame.mine();
        if (!frame.enter()) {
            return body.call();
        }
        long start = recorder.now();
        try {
            T value = body.call();
            record(call, on, start, numberOf(value), measured(result, value), "");
            return value;
        } catch (IOException | RuntimeException | Error e) {
            record(call, on, start, NONE, NONE, nameOf(e));
            throw e;
        } finally {
            frame.leave();
        }
    }

    public <T extends @Nullable Object> T call(Call call, @Nullable Path path, Body<T> body, ToLongFunction<T> result)
            throws IOException {
        return call(call, On.path(path), body, result);
    }

    /** Records a call whose result has no number. */
    public <T extends @Nullable Object> T call(Call call, On on, Body<T> body) throws IOException {
        return call(call, on, body, value -> NONE);
    }

    public <T extends @Nullable Object> T call(Call call, @Nullable Path path, Body<T> body) throws IOException {
        return call(call, On.path(path), body, value -> NONE);
    }

    public void run(Call call, On on, VoidBody body) throws IOException {
        Frame frame = Frame.mine();
        if (!frame.enter()) {
            body.call();
            return;
        }
        try {
            runEach(call, on, body);
        } finally {
            frame.leave();
        }
    }

    public void run(Call call, @Nullable Path path, VoidBody body) throws IOException {
        run(call, On.path(path), body);
    }

    /**
     * Records a call, and its inner calls as events of their own: so the trace has the deletes of an exiting file
     * system.
     */
    public void runEach(Call call, On on, VoidBody body) throws IOException {
        long start = recorder.now();
        try {
            body.call();
            record(call, on, start, NONE, NONE, "");
        } catch (IOException | RuntimeException | Error e) {
            record(call, on, start, NONE, NONE, nameOf(e));
            throw e;
        }
    }

    public boolean test(Call call, On on, Body<Boolean> body) throws IOException {
        return call(call, on, body, value -> value ? 1 : 0);
    }

    public boolean test(Call call, @Nullable Path path, Body<Boolean> body) throws IOException {
        return test(call, On.path(path), body);
    }

    /** Records a call that declares no exception. */
    public <T extends @Nullable Object> T local(Call call, On on, Supplier<T> body) {
        Frame frame = Frame.mine();
        if (!frame.enter()) {
            return body.get();
        }
        long start = recorder.now();
        try {
            T value = body.get();
            record(call, on, start, NONE, NONE, "");
            return value;
        } catch (RuntimeException | Error e) {
            record(call, on, start, NONE, NONE, nameOf(e));
            throw e;
        } finally {
            frame.leave();
        }
    }

    /** Records a call that declares no exception and returns nothing. */
    public void localRun(Call call, On on, Runnable body) {
        local(call, on, () -> {
            body.run();
            return null;
        });
    }

    // Calls that list

    /** Records a call whose listing fetches more pages while the application walks it; the walk is recorded, too. */
    public <T extends @Nullable Object> RemoteIterator<T> listed(Call call, On on, Body<RemoteIterator<T>> list)
            throws IOException {
        boolean outermost = !Frame.mine().isInside();
        RemoteIterator<T> all = call(call, on, list);
        return outermost && all != null ? new TracedIterator<>(all, stream(NONE, text(on.path())), call) : all;
    }

    // Calls that open a stream

    /** Returns the length of an opened file if the client knows it, otherwise {@code NONE}. */
    public static long lengthOf(FSDataInputStream in) {
        return TracedStreams.lengthOf(in);
    }

    /** Records a call that opens a file of any file system. */
    public FSDataInputStream opened(Call call, On on, Body<FSDataInputStream> open) throws IOException {
        return call(call, on, () -> input(open.call(), text(on.path())), CallRecorder::lengthOf);
    }

    /** Records a call that creates or appends to a file of any file system. */
    public FSDataOutputStream created(Call call, On on, Body<FSDataOutputStream> create) throws IOException {
        return call(call, on, () -> output(create.call(), text(on.path()), null));
    }

    /** Records a call that opens a file asynchronously. */
    public CompletableFuture<FSDataInputStream> openedLater(
            Call call, On on, Body<CompletableFuture<FSDataInputStream>> open) throws IOException {
        Frame frame = Frame.mine();
        if (!frame.enter()) {
            return open.call();
        }
        long start = recorder.now();
        String thread = Thread.currentThread().getName();
        String context = context();
        try {
            CompletableFuture<FSDataInputStream> future = open.call();
            CompletableFuture<FSDataInputStream> traced = future.thenApply(in -> input(in, text(on.path())));
            CompletableFuture<FSDataInputStream> unused = traced.whenComplete((in, failure) -> {
                String error = failure == null ? "" : nameOf(failure);
                record(call, on, thread, context, start, numberOf(in), measured(CallRecorder::lengthOf, in), error);
            });
            return future.isCompletedExceptionally() ? future : traced;
        } catch (IOException | RuntimeException | Error e) {
            record(call, on, start, NONE, NONE, nameOf(e));
            throw e;
        } finally {
            frame.leave();
        }
    }

    /**
     * Records a call below the level at which streams are wrapped, which an application can reach without a recorded
     * one. {@link #output} gives this call's number to the stream of the returned object.
     */
    public <T> T openedRaw(Call call, On on, Body<T> open) throws IOException {
        Frame frame = Frame.mine();
        if (!frame.enter()) {
            return open.call();
        }
        long start = recorder.now();
        try {
            T raw = open.call();
            long number = recorder.nextStream();
            frame.opened(raw, number);
            record(call, on, start, number, NONE, "");
            return raw;
        } catch (IOException | RuntimeException | Error e) {
            record(call, on, start, NONE, NONE, nameOf(e));
            throw e;
        } finally {
            frame.leave();
        }
    }

    /** Returns a stream with recorded calls; the given one if it is traced already or cannot be. */
    public FSDataInputStream input(FSDataInputStream in, String path) {
        try {
            return TracedStreams.input(in, () -> stream(recorder.nextStream(), path));
        } catch (RuntimeException e) {
            return untraced(in, e);
        }
    }

    /**
     * Returns a stream with recorded calls; the given one if it is traced already or cannot be.
     *
     * @param raw result of {@link #openedRaw}, if that opened the stream
     */
    public FSDataOutputStream output(FSDataOutputStream out, String path, @Nullable Object raw) {
        try {
            return TracedStreams.output(out, () -> {
                long known = Frame.mine().numberOf(raw, NONE);
                return stream(known == NONE ? recorder.nextStream() : known, path);
            });
        } catch (RuntimeException e) {
            return untraced(out, e);
        }
    }

    private StreamRecorder stream(long number, String path) {
        return recorder.stream(caller, number, path);
    }

    private <T> T untraced(T stream, RuntimeException e) {
        LOG.warn("HTFS cannot trace {}: {}", stream, e.toString());
        return stream;
    }

    // The recorded values

    private void record(Call call, On on, long start, long stream, long result, String error) {
        record(call, on, Thread.currentThread().getName(), context(), start, stream, result, error);
    }

    private void record(
            Call call, On on, String thread, String context, long start, long stream, long result, String error) {
        try {
            recorder.call(
                    call,
                    caller,
                    thread,
                    context,
                    start,
                    recorder.now(),
                    stream,
                    text(on.path()),
                    text(on.target()),
                    result,
                    error,
                    on.hints());
        } catch (RuntimeException e) {
            recorder.dropped(1);
        }
    }

    private static String context() {
        CallerContext current = CallerContext.getCurrent();
        return current == null || current.getContext() == null ? "" : current.getContext();
    }

    private String text(@Nullable Path path) {
        if (path == null) {
            return "";
        }
        try {
            Path home = path.isAbsolute() ? null : workingDirectory.get();
            return (home == null ? path : new Path(home, path)).toUri().getPath();
        } catch (RuntimeException e) {
            return path.toString();
        }
    }

    private static long numberOf(@Nullable Object value) {
        return value instanceof TracedStream stream ? stream.number() : NONE;
    }

    private static <T extends @Nullable Object> long measured(ToLongFunction<T> result, T value) {
        try {
            return Math.max(NONE, result.applyAsLong(value));
        } catch (RuntimeException e) {
            // A file system may return null against its documentation.
            return NONE;
        }
    }

    private static String nameOf(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        return Errors.nameOf(cause == null ? failure : cause);
    }
}
