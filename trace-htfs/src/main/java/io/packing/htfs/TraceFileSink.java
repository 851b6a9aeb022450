package io.packing.htfs;

import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceSink;
import java.io.IOException;
import java.util.function.LongSupplier;

/** A trace file that is never much behind: blocks end by age, too, and carry the count of dropped events. */
final class TraceFileSink implements TraceSink {
    private final TraceFileWriter writer;
    private final LongSupplier dropped;
    private final LongSupplier nanos;
    private final long flushNanos;
    private long flushedAt;
    private long reported;

    /**
     * @param dropped events lost so far, in the whole process
     * @param reported of them, already in an earlier file
     */
    TraceFileSink(TraceFileWriter writer, LongSupplier dropped, long reported, LongSupplier nanos, long flushNanos) {
        this.writer = writer;
        this.dropped = dropped;
        this.reported = reported;
        this.nanos = nanos;
        this.flushNanos = flushNanos;
        this.flushedAt = nanos.getAsLong();
    }

    @Override
    public void write(TraceEvent event) throws IOException {
        long now = nanos.getAsLong();
        if (now - flushedAt >= flushNanos) {
            reportDrops();
            writer.flush();
            flushedAt = now;
        }
        writer.write(event);
    }

    private void reportDrops() {
        long all = dropped.getAsLong();
        writer.dropped(all - reported);
        reported = all;
    }

    @Override
    public void close() throws IOException {
        try (writer) {
            reportDrops();
        }
    }
}
