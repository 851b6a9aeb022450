package io.packing.hadoop;

import io.packing.worker.PackingOutput;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;

/** A new file as Hadoop writes it. After a failed write its close gives the file up: half a file must not appear. */
final class PackingHadoopOutput extends OutputStream implements IOStatisticsSource {
    private final PackingOutput output;
    private final IOStatisticsStore statistics = IOStatisticsBinding.iostatisticsStore()
            .withCounters(StreamStatisticNames.STREAM_WRITE_BYTES)
            .build();
    private boolean failed;

    PackingHadoopOutput(PackingOutput output) {
        this.output = output;
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
            throw new IOException("the file was given up: an earlier write of it failed");
        }
        output.close();
    }
}
