package io.packing.hadoop;

import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;

/** A new file as Hadoop writes it. */
final class PackingHadoopOutput extends OutputStream implements IOStatisticsSource {
    /** What follows when the file is closed. */
    interface Completion {
        void run() throws IOException;
    }

    private final Path path;
    private final PackingOutput output;
    private final Completion afterClose;
    private final IOStatisticsStore statistics = IOStatisticsBinding.iostatisticsStore()
            .withCounters(StreamStatisticNames.STREAM_WRITE_BYTES)
            .build();
    private boolean closed;

    /**
     * @param path as the caller knows it, for messages
     * @param afterClose when it throws, so does close
     */
    PackingHadoopOutput(Path path, PackingOutput output, Completion afterClose) {
        this.path = path;
        this.output = output;
        this.afterClose = afterClose;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        try {
            output.write(bytes, offset, count);
            statistics.incrementCounter(StreamStatisticNames.STREAM_WRITE_BYTES, count);
        } catch (IOException e) {
            throw Refusals.of(path, e);
        }
    }

    @Override
    public IOStatistics getIOStatistics() {
        return statistics;
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            output.close();
            afterClose.run();
        } catch (IOException e) {
            throw Refusals.of(path, e);
        }
    }
}
