// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import io.packing.htfs.record.StreamRecorder;
import java.io.OutputStream;
import org.apache.hadoop.fs.FSDataOutputStream;

/** A traced output of any file system. Its wrapped stream is that of the plain one. */
final class TracedDataOutput extends FSDataOutputStream implements TracedStream {
    private final FSDataOutputStream plain;
    private final long number;

    TracedDataOutput(FSDataOutputStream plain, StreamRecorder events) {
        // The plain stream counts the file system's statistics.
        super(new TracedOutput(plain, events, plain.getPos()), null, plain.getPos());
        this.plain = plain;
        this.number = events.number();
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public long getPos() {
        return plain.getPos();
    }

    @Override
    public OutputStream getWrappedStream() {
        return plain.getWrappedStream();
    }

    @Override
    public String toString() {
        return plain.toString();
    }
}
