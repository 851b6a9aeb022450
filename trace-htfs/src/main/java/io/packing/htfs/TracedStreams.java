// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import io.packing.htfs.record.StreamRecorder;
import io.packing.trace.TraceEvent;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.Supplier;
import org.apache.hadoop.crypto.CryptoInputStream;
import org.apache.hadoop.crypto.CryptoOutputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;

/** A chooser of the traced stream that fits every cast of the plain one. */
final class TracedStreams {
    private static final boolean HDFS_IS_HERE = isHere("org.apache.hadoop.hdfs.client.HdfsDataInputStream");

    private TracedStreams() {}

    private static boolean isHere(String name) {
        try {
            Class.forName(name, false, TracedStreams.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            // Some file systems bring a Hadoop without the HDFS client.
            return false;
        }
    }

    static FSDataInputStream input(FSDataInputStream in, Supplier<StreamRecorder> recorder) {
        if (in instanceof TracedStream) {
            return in;
        }
        return HDFS_IS_HERE ? hdfsInput(in, recorder) : new TracedDataInput(in, recorder.get());
    }

    private static FSDataInputStream hdfsInput(FSDataInputStream in, Supplier<StreamRecorder> recorder) {
        if (in instanceof HdfsDataInputStream hdfs) {
            InputStream raw = hdfs.getWrappedStream();
            if (raw instanceof CryptoInputStream crypto) {
                return new TracedHdfsInput(crypto, hdfs, recorder.get());
            }
            if (raw instanceof DFSInputStream plain) {
                return new TracedHdfsInput(plain, hdfs, recorder.get());
            }
        }
        return new TracedDataInput(in, recorder.get());
    }

    /**
     * Returns the length of a file of HDFS, which its client has; {@code NONE} for others, which would need a request.
     */
    static long lengthOf(FSDataInputStream in) {
        return HDFS_IS_HERE ? hdfsLength(in) : TraceEvent.NONE;
    }

    private static long hdfsLength(FSDataInputStream in) {
        return in instanceof HdfsDataInputStream hdfs ? hdfs.getVisibleLength() : TraceEvent.NONE;
    }

    static FSDataOutputStream output(FSDataOutputStream out, Supplier<StreamRecorder> recorder) {
        if (out instanceof TracedStream) {
            return out;
        }
        return HDFS_IS_HERE ? hdfsOutput(out, recorder) : new TracedDataOutput(out, recorder.get());
    }

    private static FSDataOutputStream hdfsOutput(FSDataOutputStream out, Supplier<StreamRecorder> recorder) {
        if (out instanceof HdfsDataOutputStream hdfs) {
            OutputStream raw = hdfs.getWrappedStream();
            if (raw instanceof CryptoOutputStream crypto) {
                return TracedHdfsOutput.over(crypto, hdfs, recorder.get());
            }
            if (raw instanceof DFSOutputStream plain) {
                return TracedHdfsOutput.over(plain, hdfs, recorder.get());
            }
        }
        return new TracedDataOutput(out, recorder.get());
    }
}
