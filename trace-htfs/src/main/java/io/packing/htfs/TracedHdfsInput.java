// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import io.packing.htfs.record.StreamRecorder;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.apache.hadoop.crypto.CryptoInputStream;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** A traced input of HDFS, for callers that cast to HDFS's class. */
final class TracedHdfsInput extends HdfsDataInputStream implements TracedStream {
    private final HdfsDataInputStream plain;
    private final long number;

    TracedHdfsInput(DFSInputStream raw, HdfsDataInputStream plain, StreamRecorder events) {
        super(raw);
        this.plain = plain;
        this.number = events.number();
        // All reads go to this field, also those of DataInputStream's final methods.
        this.in = new TracedInput(plain, events);
    }

    TracedHdfsInput(CryptoInputStream raw, HdfsDataInputStream plain, StreamRecorder events) {
        super(raw);
        this.plain = plain;
        this.number = events.number();
        this.in = new TracedInput(plain, events);
    }

    @Override
    public long number() {
        return number;
    }

    // The superclass casts the field in these methods.

    @Override
    public InputStream getWrappedStream() {
        return plain.getWrappedStream();
    }

    @Override
    public DatanodeInfo getCurrentDatanode() {
        return plain.getCurrentDatanode();
    }

    @Override
    public ExtendedBlock getCurrentBlock() {
        return plain.getCurrentBlock();
    }

    @Override
    public List<LocatedBlock> getAllBlocks() throws IOException {
        return plain.getAllBlocks();
    }

    @Override
    public long getVisibleLength() {
        return plain.getVisibleLength();
    }

    @Override
    public ReadStatistics getReadStatistics() {
        return plain.getReadStatistics();
    }

    @Override
    public void clearReadStatistics() {
        plain.clearReadStatistics();
    }

    @Override
    public String toString() {
        return plain.toString();
    }
}
