// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import io.packing.htfs.record.StreamRecorder;
import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.CanSetDropBehind;
import org.apache.hadoop.fs.CanSetReadahead;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.HasEnhancedByteBufferAccess;
import org.apache.hadoop.fs.HasFileDescriptor;
import org.apache.hadoop.fs.PositionedReadable;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.fs.Seekable;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.io.ByteBufferPool;
import org.jspecify.annotations.Nullable;

/**
 * An input stream with recorded calls. Each call goes to the {@link FSDataInputStream}, so a missing feature fails
 * there as without tracing.
 */
final class TracedInput extends InputStream
        implements Seekable,
                PositionedReadable,
                ByteBufferReadable,
                ByteBufferPositionedReadable,
                CanSetReadahead,
                CanSetDropBehind,
                CanUnbuffer,
                HasEnhancedByteBufferAccess,
                HasFileDescriptor,
                StreamCapabilities,
                IOStatisticsSource {
    private final FSDataInputStream in;
    private final StreamRecorder events;
    private long position;

    TracedInput(FSDataInputStream in, StreamRecorder events) {
        this.in = in;
        this.events = events;
    }

    /** A call of the traced stream that moves bytes or a position. */
    private interface Moving {
        long move() throws IOException;
    }

    /** Another call of the traced stream. */
    private interface Other {
        void call() throws IOException;
    }

    private int read(Call call, int length, Moving read) throws IOException {
        long start = events.now();
        long from = position;
        try {
            int count = (int) read.move();
            position += Math.max(0, count);
            events.sequential(call, from, Math.max(TraceEvent.NONE, length), Math.max(0, count), start, events.now());
            return count;
        } catch (IOException | RuntimeException | Error e) {
            failed(call, start, from, length, e);
            position = place();
            throw e;
        }
    }

    /** Returns the traced stream's own position, after a call that may have moved it. */
    private long place() {
        try {
            return in.getPos();
        } catch (IOException | RuntimeException e) {
            return position;
        }
    }

    private int pread(Call call, long from, long length, Moving read) throws IOException {
        long start = events.now();
        try {
            long count = read.move();
            // The traced stream may refuse or take a negative position.
            events.call(
                    call,
                    start,
                    events.now(),
                    Math.max(TraceEvent.NONE, from),
                    Math.max(TraceEvent.NONE, length),
                    Math.max(0, count),
                    "",
                    "");
            return (int) count;
        } catch (IOException | RuntimeException | Error e) {
            failed(call, start, from, length, e);
            throw e;
        }
    }

    private void other(Call call, long offset, String hints, Other body) throws IOException {
        long start = events.now();
        try {
            body.call();
            events.call(
                    call,
                    start,
                    events.now(),
                    Math.max(TraceEvent.NONE, offset),
                    TraceEvent.NONE,
                    TraceEvent.NONE,
                    "",
                    hints);
        } catch (IOException | RuntimeException | Error e) {
            failed(call, start, offset, TraceEvent.NONE, e);
            throw e;
        }
    }

    private void failed(Call call, long start, long offset, long length, Throwable e) {
        events.call(
                call,
                start,
                events.now(),
                Math.max(TraceEvent.NONE, offset),
                Math.max(TraceEvent.NONE, length),
                TraceEvent.NONE,
                Errors.nameOf(e),
                "");
    }

    /** Records a call that declares no exception. */
    private void plain(Call call, Runnable body) {
        long start = events.now();
        try {
            body.run();
        } catch (RuntimeException | Error e) {
            failed(call, start, TraceEvent.NONE, TraceEvent.NONE, e);
            throw e;
        }
        events.call(call, start, events.now(), TraceEvent.NONE, TraceEvent.NONE, TraceEvent.NONE, "", "");
    }

    @Override
    public int read() throws IOException {
        int[] value = new int[1];
        int count = read(Call.READ, 1, () -> {
            value[0] = in.read();
            return value[0] < 0 ? -1 : 1;
        });
        return count < 0 ? -1 : value[0];
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        return read(Call.READ, length, () -> in.read(bytes, offset, length));
    }

    @Override
    public int read(ByteBuffer buffer) throws IOException {
        return read(Call.READ_BYTE_BUFFER, buffer.remaining(), () -> in.read(buffer));
    }

    @Override
    public ByteBuffer read(ByteBufferPool pool, int maxLength, EnumSet<ReadOption> options)
            throws IOException, UnsupportedOperationException {
        ByteBuffer[] buffer = new ByteBuffer[1];
        read(Call.READ_ZERO_COPY, maxLength, () -> {
            buffer[0] = in.read(pool, maxLength, options);
            return buffer[0] == null ? -1 : buffer[0].remaining();
        });
        return buffer[0];
    }

    @Override
    public void releaseBuffer(ByteBuffer buffer) {
        plain(Call.RELEASE_BUFFER, () -> in.releaseBuffer(buffer));
    }

    @Override
    public int read(long from, byte[] bytes, int offset, int length) throws IOException {
        return pread(Call.PREAD, from, length, () -> in.read(from, bytes, offset, length));
    }

    @Override
    public void readFully(long from, byte[] bytes, int offset, int length) throws IOException {
        pread(Call.PREAD_FULLY, from, length, () -> {
            in.readFully(from, bytes, offset, length);
            return length;
        });
    }

    @Override
    public void readFully(long from, byte[] bytes) throws IOException {
        pread(Call.PREAD_FULLY, from, bytes.length, () -> {
            in.readFully(from, bytes);
            return bytes.length;
        });
    }

    @Override
    public int read(long from, ByteBuffer buffer) throws IOException {
        return pread(Call.PREAD_BYTE_BUFFER, from, buffer.remaining(), () -> in.read(from, buffer));
    }

    @Override
    public void readFully(long from, ByteBuffer buffer) throws IOException {
        int length = buffer.remaining();
        pread(Call.PREAD_FULLY_BYTE_BUFFER, from, length, () -> {
            in.readFully(from, buffer);
            return length;
        });
    }

    @Override
    public int minSeekForVectorReads() {
        return in.minSeekForVectorReads();
    }

    @Override
    public int maxReadSizeForVectorReads() {
        return in.maxReadSizeForVectorReads();
    }

    @Override
    public void readVectored(List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate) throws IOException {
        vectored(ranges, () -> in.readVectored(ranges, allocate));
    }

    @Override
    public void readVectored(
            List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate, Consumer<ByteBuffer> release)
            throws IOException {
        vectored(ranges, () -> in.readVectored(ranges, allocate, release));
    }

    /** Records one event for each range, when its bytes have come. */
    private void vectored(List<? extends FileRange> ranges, Other read) throws IOException {
        long start = events.now();
        String thread = Thread.currentThread().getName();
        try {
            read.call();
        } catch (IOException | RuntimeException | Error e) {
            failed(Call.READ_VECTORED, start, TraceEvent.NONE, TraceEvent.NONE, e);
            throw e;
        }
        for (FileRange range : ranges) {
            CompletableFuture<ByteBuffer> data = range.getData();
            if (data != null) {
                CompletableFuture<ByteBuffer> unused =
                        data.whenComplete((bytes, failure) -> ranged(range, thread, start, failure));
            }
        }
    }

    private void ranged(FileRange range, String thread, long start, @Nullable Throwable failure) {
        events.call(
                Call.READ_VECTORED,
                thread,
                "",
                start,
                events.now(),
                range.getOffset(),
                range.getLength(),
                failure == null ? range.getLength() : TraceEvent.NONE,
                failure == null ? "" : Errors.nameOf(failure),
                "");
    }

    @Override
    public void seek(long target) throws IOException {
        try {
            other(Call.SEEK, target, "", () -> in.seek(target));
        } finally {
            position = place();
        }
    }

    @Override
    public long getPos() throws IOException {
        return in.getPos();
    }

    @Override
    public boolean seekToNewSource(long target) throws IOException {
        boolean[] found = new boolean[1];
        other(Call.SEEK_TO_NEW_SOURCE, target, "", () -> found[0] = in.seekToNewSource(target));
        position = place();
        return found[0];
    }

    @Override
    public long skip(long count) throws IOException {
        long start = events.now();
        long from = position;
        try {
            long skipped = in.skip(count);
            position = place();
            events.call(Call.SKIP, start, events.now(), from, TraceEvent.NONE, Math.max(0, skipped), "", "");
            return skipped;
        } catch (IOException | RuntimeException | Error e) {
            failed(Call.SKIP, start, from, TraceEvent.NONE, e);
            throw e;
        }
    }

    @Override
    public int available() throws IOException {
        return in.available();
    }

    @Override
    public boolean markSupported() {
        return in.markSupported();
    }

    @Override
    public synchronized void mark(int limit) {
        in.mark(limit);
    }

    @Override
    public synchronized void reset() throws IOException {
        other(Call.RESET, TraceEvent.NONE, "", in::reset);
        position = place();
    }

    @Override
    public void unbuffer() {
        plain(Call.UNBUFFER, in::unbuffer);
    }

    @Override
    public void setReadahead(Long bytes) throws IOException, UnsupportedOperationException {
        other(Call.SET_READAHEAD, TraceEvent.NONE, "readahead=" + bytes, () -> in.setReadahead(bytes));
    }

    @Override
    public void setDropBehind(Boolean drop) throws IOException, UnsupportedOperationException {
        other(Call.SET_DROP_BEHIND_INPUT, TraceEvent.NONE, "dropbehind=" + drop, () -> in.setDropBehind(drop));
    }

    @Override
    public @Nullable FileDescriptor getFileDescriptor() throws IOException {
        return in.getFileDescriptor();
    }

    @Override
    public boolean hasCapability(String capability) {
        return in.hasCapability(capability);
    }

    @Override
    public @Nullable IOStatistics getIOStatistics() {
        return in.getIOStatistics();
    }

    @Override
    public void close() throws IOException {
        other(Call.CLOSE_INPUT, TraceEvent.NONE, "", in::close);
    }

    @Override
    public String toString() {
        return in.toString();
    }
}
