// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.worker.api.PackingInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsStore;

/** A position over an open file; positioned reads do not change it, and may run at the same time. */
final class PackingHadoopInput extends FSInputStream implements IOStatisticsSource {
    private final PackingInput input;
    private final SequentialReadAhead ahead;
    private final FileSystem.Statistics statistics;
    private final IOStatisticsStore ownStatistics = IOStatisticsBinding.iostatisticsStore()
            .withCounters(StreamStatisticNames.STREAM_READ_BYTES)
            .build();
    private final long length;
    private long position;
    private volatile boolean closed;

    PackingHadoopInput(PackingInput input, int bufferSize, FileSystem.Statistics statistics) {
        this.input = input;
        this.ahead = new SequentialReadAhead(input, bufferSize);
        this.statistics = statistics;
        this.length = input.attributes().length();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public synchronized int read(byte[] bytes, int offset, int count) throws IOException {
        checkOpen();
        validatePositionedReadArgs(position, bytes, offset, count);
        if (count == 0) {
            return 0;
        }
        int n = counted(ahead.read(position, bytes, offset, count));
        position += Math.max(0, n);
        return n;
    }

    @Override
    public int read(long from, byte[] bytes, int offset, int count) throws IOException {
        checkOpen();
        validatePositionedReadArgs(from, bytes, offset, count);
        if (count == 0) {
            return 0;
        }
        return counted(input.read(from, ByteBuffer.wrap(bytes, offset, count)));
    }

    private int counted(int n) {
        if (n > 0) {
            statistics.incrementBytesRead(n);
            ownStatistics.incrementCounter(StreamStatisticNames.STREAM_READ_BYTES, n);
        }
        return n;
    }

    @Override
    public synchronized void seek(long target) throws IOException {
        checkOpen();
        if (target < 0) {
            throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK);
        }
        if (target > length) {
            throw new EOFException(FSExceptionMessages.CANNOT_SEEK_PAST_EOF);
        }
        position = target;
    }

    @Override
    public synchronized long getPos() {
        return position;
    }

    @Override
    public boolean seekToNewSource(long target) {
        return false;
    }

    @Override
    public synchronized int available() throws IOException {
        checkOpen();
        return (int) Math.min(Integer.MAX_VALUE, length - position);
    }

    @Override
    public IOStatistics getIOStatistics() {
        return ownStatistics;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            input.close();
        }
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED);
        }
    }
}
