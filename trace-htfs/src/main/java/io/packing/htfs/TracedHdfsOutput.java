// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import io.packing.htfs.record.StreamRecorder;
import io.packing.trace.Call;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import org.apache.hadoop.crypto.CryptoOutputStream;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;

/** A traced output of HDFS, for callers that cast to HDFS's class. */
final class TracedHdfsOutput extends HdfsDataOutputStream implements TracedStream {
    private final HdfsDataOutputStream plain;
    private final TracedOutput traced;
    private final long number;

    private TracedHdfsOutput(DFSOutputStream raw, HdfsDataOutputStream plain, StreamRecorder events)
            throws IOException {
        // The plain stream counts the file system's statistics.
        super(raw, null, plain.getPos());
        this.plain = plain;
        this.traced = new TracedOutput(plain, events, plain.getPos());
        this.number = events.number();
        // All writes go to this field, also those of DataOutputStream's final methods.
        this.out = traced;
    }

    private TracedHdfsOutput(CryptoOutputStream raw, HdfsDataOutputStream plain, StreamRecorder events)
            throws IOException {
        super(raw, null, plain.getPos());
        this.plain = plain;
        this.traced = new TracedOutput(plain, events, plain.getPos());
        this.number = events.number();
        this.out = traced;
    }

    static TracedHdfsOutput over(DFSOutputStream raw, HdfsDataOutputStream plain, StreamRecorder events) {
        try {
            return new TracedHdfsOutput(raw, plain, events);
        } catch (IOException e) {
            // The exception is declared, and never thrown.
            throw new UncheckedIOException(e);
        }
    }

    static TracedHdfsOutput over(CryptoOutputStream raw, HdfsDataOutputStream plain, StreamRecorder events) {
        try {
            return new TracedHdfsOutput(raw, plain, events);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public long getPos() {
        return plain.getPos();
    }

    // The superclass bypasses the field in these methods.

    @Override
    public void hflush() throws IOException {
        traced.hflush();
    }

    @Override
    public void hsync() throws IOException {
        traced.hsync();
    }

    @Override
    public void hsync(EnumSet<SyncFlag> flags) throws IOException {
        boolean length = flags != null && flags.contains(SyncFlag.UPDATE_LENGTH);
        Call call = length ? Call.HSYNC_UPDATE_LENGTH : Call.HSYNC;
        traced.sync(call, "flags=" + flags, () -> plain.hsync(flags));
    }

    @Override
    public void setDropBehind(Boolean drop) throws IOException {
        traced.setDropBehind(drop);
    }

    @Override
    public AbortableResult abort() {
        return traced.abort();
    }

    @Override
    public String toString() {
        return plain.toString();
    }
}
