// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PositionedReadable;
import org.apache.hadoop.fs.Seekable;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** A file system that accepts all calls and does nothing: the remaining cost of a call is Hadoop's and the tracer's. */
public final class IdleFileSystem extends FileSystem {
    private URI uri = URI.create("idle:///");

    @Override
    public void initialize(URI name, Configuration conf) throws IOException {
        super.initialize(name, conf);
        uri = name;
        setConf(conf);
    }

    @Override
    public String getScheme() {
        return "idle";
    }

    @Override
    public URI getUri() {
        return uri;
    }

    @Override
    public FSDataInputStream open(Path f, int bufferSize) {
        return new FSDataInputStream(new In());
    }

    @Override
    public FSDataOutputStream create(
            Path f,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return new FSDataOutputStream(new Out(), null);
    }

    @Override
    public FSDataOutputStream append(Path f, int bufferSize, Progressable progress) throws IOException {
        return new FSDataOutputStream(new Out(), null);
    }

    @Override
    public boolean rename(Path src, Path dst) {
        return true;
    }

    @Override
    public boolean delete(Path f, boolean recursive) {
        return true;
    }

    @Override
    public FileStatus[] listStatus(Path f) {
        return new FileStatus[0];
    }

    @Override
    public void setWorkingDirectory(Path directory) {}

    @Override
    public Path getWorkingDirectory() {
        return new Path("idle:///");
    }

    @Override
    public boolean mkdirs(Path f, FsPermission permission) {
        return true;
    }

    @Override
    public FileStatus getFileStatus(Path f) {
        return new FileStatus(0, false, 1, 1, 0, f);
    }

    private static final class Out extends OutputStream implements Syncable {
        @Override
        public void write(int b) {}

        @Override
        public void write(byte[] bytes, int offset, int length) {}

        @Override
        public void hflush() {}

        @Override
        public void hsync() {}
    }

    private static final class In extends InputStream implements Seekable, PositionedReadable {
        private long position;

        @Override
        public int read() {
            position++;
            return 0;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            position += length;
            return length;
        }

        @Override
        public int read(long at, byte[] bytes, int offset, int length) {
            return length;
        }

        @Override
        public void readFully(long at, byte[] bytes, int offset, int length) {}

        @Override
        public void readFully(long at, byte[] bytes) {}

        @Override
        public void seek(long to) {
            position = to;
        }

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public boolean seekToNewSource(long target) {
            return false;
        }
    }
}
