// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.StoreStatisticNames;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;

/**
 * A file as Hadoop writes it. A flush ({@code hflush}, {@code hsync}) makes the written bytes a part of the file. They
 * are as durable as the mount asks, and readers that open the file from then on read them. Thread-safe, as write-ahead
 * logs need it.
 */
final class PackingHadoopOutput extends OutputStream implements Syncable, StreamCapabilities, IOStatisticsSource {
    private static final String FAILED =
            "an earlier write or flush of it failed; the file has the bytes flushed before";

    private final Path path;
    private final WrittenFile file;
    private final boolean syncs;
    private final IOStatisticsStore statistics = IOStatisticsBinding.iostatisticsStore()
            .withCounters(
                    StreamStatisticNames.STREAM_WRITE_BYTES,
                    StoreStatisticNames.OP_HFLUSH,
                    StoreStatisticNames.OP_HSYNC)
            .build();
    private boolean failed;
    private boolean closed;

    /**
     * Makes a stream into a file.
     *
     * @param path as the caller knows it, for messages
     * @param syncs whether flushed bytes survive the loss of power
     */
    PackingHadoopOutput(Path path, WrittenFile file, boolean syncs) {
        this.path = path;
        this.file = file;
        this.syncs = syncs;
    }

    /** A step that changes the file. */
    private interface Step {
        void run() throws IOException;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int count) throws IOException {
        step(() -> file.write(bytes, offset, count));
        statistics.incrementCounter(StreamStatisticNames.STREAM_WRITE_BYTES, count);
    }

    @Override
    public synchronized void hflush() throws IOException {
        step(file::flush);
        statistics.incrementCounter(StoreStatisticNames.OP_HFLUSH);
    }

    /** As {@link #hflush}; a mount that syncs nothing refuses. */
    @Override
    public synchronized void hsync() throws IOException {
        if (!syncs) {
            throw new UnsupportedOperationException(
                    "hsync of %s: this mount has packing.durability=buffered; mount it with synced".formatted(path));
        }
        step(file::flush);
        statistics.incrementCounter(StoreStatisticNames.OP_HSYNC);
    }

    @Override
    public boolean hasCapability(String capability) {
        return switch (capability.toLowerCase(Locale.ROOT)) {
            case StreamCapabilities.HFLUSH, StreamCapabilities.IOSTATISTICS -> true;
            case StreamCapabilities.HSYNC -> syncs;
            default -> false;
        };
    }

    @Override
    public IOStatistics getIOStatistics() {
        return statistics;
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        if (failed) {
            file.abort();
            throw new PathIOException(path.toString(), FAILED);
        }
        run(file::flush);
    }

    /** Runs a step, unless an earlier one failed: a second try would leave unknown bytes in the file. */
    private void step(Step step) throws IOException {
        if (closed) {
            throw new PathIOException(path.toString(), FSExceptionMessages.STREAM_IS_CLOSED);
        }
        if (failed) {
            throw new PathIOException(path.toString(), FAILED);
        }
        failed = true;
        run(step);
        failed = false;
    }

    private void run(Step step) throws IOException {
        try {
            step.run();
        } catch (IOException e) {
            throw Refusals.of(path, e);
        }
    }
}
