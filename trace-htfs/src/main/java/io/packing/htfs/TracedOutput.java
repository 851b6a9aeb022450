// SPDX-License-Identifier: Apache-2.0
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

/** An output stream with recorded calls; every call goes to the traced {@link FSDataOutputStream}. */
final class TracedOutput extends OutputStream
        implements Syncable, CanSetDropBehind, StreamCapabilities, Abortable, IOStatisticsSource {
    private final FSDataOutputStream out;
    private final StreamRecorder events;
    private long position;

    /** @param position of the first byte: 0, or the length of a file at an append */
    TracedOutput(FSDataOutputStream out, StreamRecorder events, long position) {
        this.out = out;
        this.events = events;
        this.position = position;
    }

    /** A call of the traced stream. */
    interface Body {
        void call() throws IOException;
    }

    // The two writes are spelt out, since a lambda would cost an allocation for each call.

    @Override
    public void write(int b) throws IOException {
        long start = events.now();
        try {
            out.write(b);
        } catch (IOException | RuntimeException | Error e) {
            failed(Call.WRITE, start, position, 1, "", e);
            throw e;
        }
        wrote(1, start);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        long start = events.now();
        try {
            out.write(bytes, offset, length);
        } catch (IOException | RuntimeException | Error e) {
            failed(Call.WRITE, start, position, length, "", e);
            throw e;
        }
        wrote(length, start);
    }

    private void wrote(int length, long start) {
        long from = position;
        position += length;
        events.sequential(Call.WRITE, from, length, length, start, events.now());
    }

    private void failed(Call call, long start, long offset, long length, String hints, Throwable e) {
        events.call(
                call,
                start,
                events.now(),
                offset,
                Math.max(TraceEvent.NONE, length),
                TraceEvent.NONE,
                Errors.nameOf(e),
                hints);
    }

    private void other(Call call, long result, String hints, Body body) throws IOException {
        long start = events.now();
        try {
            body.call();
        } catch (IOException | RuntimeException | Error e) {
            failed(call, start, TraceEvent.NONE, TraceEvent.NONE, hints, e);
            throw e;
        }
        events.call(call, start, events.now(), TraceEvent.NONE, TraceEvent.NONE, result, "", hints);
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
        try {
            AbortableResult result = out.abort();
            events.call(Call.ABORT, start, events.now(), TraceEvent.NONE, TraceEvent.NONE, TraceEvent.NONE, "", "");
            return result;
        } catch (RuntimeException | Error e) {
            failed(Call.ABORT, start, TraceEvent.NONE, TraceEvent.NONE, "", e);
            throw e;
        }
    }

    /** Records a sync that only some file systems have. */
    void sync(Call call, String hints, Body body) throws IOException {
        other(call, TraceEvent.NONE, hints, body);
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
