package io.packing.htfs;

import io.packing.htfs.record.StreamRecorder;
import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.Abortable;
import org.apache.hadoop.fs.CanSetDropBehind;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.jspecify.annotations.Nullable;

/** An output stream whose calls are recorded; every call goes to the traced {@link FSDataOutputStream}. */
final class TracedOutput extends OutputStream
        implements Syncable, CanSetDropBehind, StreamCapabilities, Abortable, IOStatisticsSource {
    private final FSDataOutputStream out;
    private final StreamRecorder events;
    private long position;

    /** @param position where the first byte will be: 0, or the length of a file that is appended to */
    TracedOutput(FSDataOutputStream out, StreamRecorder events, long position) {
        this.out = out;
        this.events = events;
        this.position = position;
    }

    private interface Body {
        void call() throws IOException;
    }

    private void write(int length, Body body) throws IOException {
        long start = events.now();
        long from = position;
        try {
            body.call();
            position += length;
            events.sequential(Call.WRITE, from, length, length, start, events.now());
        } catch (IOException | RuntimeException e) {
            events.call(
                    Call.WRITE,
                    start,
                    events.now(),
                    from,
                    length,
                    TraceEvent.NONE,
                    e.getClass().getSimpleName(),
                    "");
            throw e;
        }
    }

    private void other(Call call, long result, String hints, Body body) throws IOException {
        long start = events.now();
        try {
            body.call();
            events.call(call, start, events.now(), TraceEvent.NONE, TraceEvent.NONE, result, "", hints);
        } catch (IOException | RuntimeException e) {
            String error = e.getClass().getSimpleName();
            events.call(call, start, events.now(), TraceEvent.NONE, TraceEvent.NONE, TraceEvent.NONE, error, hints);
            throw e;
        }
    }

    @Override
    public void write(int b) throws IOException {
        write(1, () -> out.write(b));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        write(length, () -> out.write(bytes, offset, length));
    }

    @Override
    public void flush() throws IOException {
        other(Call.FLUSH, TraceEvent.NONE, "", out::flush);
    }

    @Override
    public void hflush() throws IOException {
        other(Call.HFLUSH, TraceEvent.NONE, "", out::hflush);
    }

    @Override
    public void hsync() throws IOException {
        other(Call.HSYNC, TraceEvent.NONE, "", out::hsync);
    }

    @Override
    public void setDropBehind(Boolean drop) throws IOException {
        other(Call.SET_DROP_BEHIND_OUTPUT, TraceEvent.NONE, "dropbehind=" + drop, () -> out.setDropBehind(drop));
    }

    @Override
    public boolean hasCapability(String capability) {
        return out.hasCapability(capability);
    }

    @Override
    public AbortableResult abort() {
        long start = events.now();
        AbortableResult result = out.abort();
        events.call(Call.ABORT, start, events.now(), TraceEvent.NONE, TraceEvent.NONE, TraceEvent.NONE, "", "");
        return result;
    }

    @Override
    public @Nullable IOStatistics getIOStatistics() {
        return out.getIOStatistics();
    }

    @Override
    public void close() throws IOException {
        other(Call.CLOSE_OUTPUT, position, "", out::close);
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
