package io.packing.hadoop;

import io.packing.worker.PackingOutput;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;

/** A new file as Hadoop writes it. After a failed write its close gives the file up: half a file must not appear. */
final class PackingHadoopOutput extends OutputStream implements IOStatisticsSource {
    /** What must hold when the file is closed. */
    interface Condition {
        void check() throws IOException;
    }

    private final Path path;
    private final PackingOutput output;
    private final Condition beforeClose;
    private final IOStatisticsStore statistics = IOStatisticsBinding.iostatisticsStore()
            .withCounters(StreamStatisticNames.STREAM_WRITE_BYTES)
            .build();
    private boolean failed;
    private boolean closed;

    /** @param beforeClose gives the file up when it throws */
    PackingHadoopOutput(Path path, PackingOutput output, Condition beforeClose) {
        this.path = path;
        this.output = output;
        this.beforeClose = beforeClose;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        boolean done = false;
        try {
            output.write(bytes, offset, count);
            statistics.incrementCounter(StreamStatisticNames.STREAM_WRITE_BYTES, count);
            done = true;
        } catch (IOException e) {
            throw Refusals.of(path, e);
        } finally {
            if (!done) {
                failed = true;
            }
        }
    }

    @Override
    public IOStatistics getIOStatistics() {
        return statistics;
    }

    @Override
    public void close() throws IOException {
        if (failed) {
            output.abort();
            throw new IOException("%s was given up: an earlier write of it failed".formatted(path));
        }
        if (closed) {
            return;
        }
        closed = true;
        try {
            beforeClose.check();
        } catch (IOException e) {
            output.abort();
            throw e;
        }
        try {
            output.close();
        } catch (IOException e) {
            throw Refusals.of(path, e);
        }
    }
}
