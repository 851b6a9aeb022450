// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import io.packing.htfs.record.StreamRecorder;
import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.jspecify.annotations.Nullable;

/**
 * A listing of a file system that does not show when it fetches its pages. The walk's cost is recorded, and its calls
 * collapse as small sequential reads do.
 */
final class TracedIterator<T extends @Nullable Object> implements RemoteIterator<T>, Closeable, IOStatisticsSource {
    private final RemoteIterator<T> all;
    private final StreamRecorder events;
    private final Call call;
    /** The number of entries returned so far. */
    private long given;

    /** @param call that made the listing */
    TracedIterator(RemoteIterator<T> all, StreamRecorder events, Call call) {
        this.all = all;
        this.events = events;
        this.call = call;
    }

    @Override
    public boolean hasNext() throws IOException {
        Frame frame = Frame.mine();
        if (!frame.enter()) {
            return all.hasNext();
        }
        long start = events.now();
        try {
            boolean more = all.hasNext();
            events.sequential(call, given, 0, 0, start, events.now());
            if (!more) {
                events.endRun();
            }
            return more;
        } catch (IOException | RuntimeException | Error e) {
            failed(start, e);
            throw e;
        } finally {
            frame.leave();
        }
    }

    @Override
    public T next() throws IOException {
        Frame frame = Frame.mine();
        if (!frame.enter()) {
            given++;
            return all.next();
        }
        long start = events.now();
        try {
            T entry = all.next();
            events.sequential(call, given, 1, 1, start, events.now());
            given++;
            return entry;
        } catch (IOException | RuntimeException | Error e) {
            failed(start, e);
            throw e;
        } finally {
            frame.leave();
        }
    }

    private void failed(long start, Throwable e) {
        events.call(call, start, events.now(), given, TraceEvent.NONE, TraceEvent.NONE, Errors.nameOf(e), "");
    }

    @Override
    public void close() throws IOException {
        events.endRun();
        if (all instanceof Closeable closeable) {
            closeable.close();
        }
    }

    @Override
    public @Nullable IOStatistics getIOStatistics() {
        return all instanceof IOStatisticsSource source ? source.getIOStatistics() : null;
    }

    @Override
    public String toString() {
        return all.toString();
    }
}
