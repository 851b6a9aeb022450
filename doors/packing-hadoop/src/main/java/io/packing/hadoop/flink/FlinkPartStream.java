// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop.flink;

import io.packing.hadoop.PackingHadoopFileSystem;
import java.io.IOException;
import org.apache.flink.core.fs.RecoverableFsDataOutputStream;
import org.apache.flink.core.fs.RecoverableWriter;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;

/** A draft that a sink writes to. */
final class FlinkPartStream extends RecoverableFsDataOutputStream {
    private final PackingHadoopFileSystem files;
    private final Path draft;
    private final Path target;
    private final FSDataOutputStream out;

    FlinkPartStream(PackingHadoopFileSystem files, Path draft, Path target, FSDataOutputStream out) {
        this.files = files;
        this.draft = draft;
        this.target = target;
        this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
        out.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        out.write(bytes, offset, count);
    }

    @Override
    public long getPos() throws IOException {
        return out.getPos();
    }

    @Override
    public void flush() throws IOException {
        out.hflush();
    }

    /** Makes the written bytes as durable as closed files of the mount are. */
    @Override
    public void sync() throws IOException {
        if (out.hasCapability(StreamCapabilities.HSYNC)) {
            out.hsync();
        } else {
            out.hflush();
        }
    }

    @Override
    public RecoverableWriter.ResumeRecoverable persist() throws IOException {
        sync();
        return new FlinkPart(draft, target, getPos());
    }

    @Override
    public Committer closeForCommit() throws IOException {
        long length = getPos();
        close();
        return new FlinkPartCommit(files, new FlinkPart(draft, target, length));
    }

    /** Closes the draft, which stays: a checkpoint may know it. */
    @Override
    public void close() throws IOException {
        out.close();
    }
}
