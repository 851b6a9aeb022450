// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import io.packing.htfs.record.StreamRecorder;
import java.io.InputStream;
import org.apache.hadoop.fs.FSDataInputStream;

/** A traced input of any file system. Its wrapped stream is that of the plain one. */
final class TracedDataInput extends FSDataInputStream implements TracedStream {
    private final FSDataInputStream plain;
    private final long number;

    TracedDataInput(FSDataInputStream plain, StreamRecorder events) {
        super(new TracedInput(plain, events));
        this.plain = plain;
        this.number = events.number();
    }

    @Override
    public long number() {
        return number;
    }

    // Parquet, for one, chooses its kind of reads by the interfaces of this stream.
    @Override
    public InputStream getWrappedStream() {
        return plain.getWrappedStream();
    }

    @Override
    public String toString() {
        return plain.toString();
    }
}
