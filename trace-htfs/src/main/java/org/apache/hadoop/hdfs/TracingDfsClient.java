// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import io.packing.htfs.CallRecorder;
import io.packing.htfs.On;
import io.packing.trace.Call;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.util.Progressable;
import org.jspecify.annotations.NullMarked;

/**
 * The client below {@link TracingDistributedFileSystem}. It wraps every stream of HDFS, also those of final builders,
 * which call no method of the file system that a subclass could override.
 */
@NullMarked
final class TracingDfsClient extends TracedListings {
    TracingDfsClient(URI name, Configuration conf, FileSystem.Statistics statistics, CallRecorder calls)
            throws IOException {
        super(name, conf, statistics, calls);
    }

    static String shape(EnumSet<CreateFlag> flags, short replication, long blockSize) {
        return "flags=" + flags + " replication=" + replication + " block=" + blockSize;
    }

    /** Returns the position at which an appending stream starts. */
    static long start(FSDataOutputStream out) {
        return out.getPos();
    }

    /** {@inheritDoc} All other variants, and {@code createFile().build()}, end in this one. */
    @Override
    public DFSOutputStream create(
            String src,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            boolean createParent,
            short replication,
            long blockSize,
            Progressable progress,
            int bufferSize,
            ChecksumOpt checksum,
            InetSocketAddress[] favoredNodes,
            String erasureCodingPolicy,
            String storagePolicy)
            throws IOException {
        String hints = shape(flags, replication, blockSize) + " parents=" + createParent;
        return calls.openedRaw(
                Call.CREATE_FILE,
                On.path(src.startsWith(Path.SEPARATOR) ? new Path(src) : null).with(hints),
                () -> super.create(
                        src,
                        permission,
                        flags,
                        createParent,
                        replication,
                        blockSize,
                        progress,
                        bufferSize,
                        checksum,
                        favoredNodes,
                        erasureCodingPolicy,
                        storagePolicy));
    }

    @Override
    public HdfsDataInputStream createWrappedInputStream(DFSInputStream raw) throws IOException {
        // The field replaces a method that Spark 3.5's Hadoop 3.3.4 does not have.
        return (HdfsDataInputStream) calls.input(super.createWrappedInputStream(raw), raw.src);
    }

    @Override
    public HdfsDataOutputStream createWrappedOutputStream(
            DFSOutputStream raw, FileSystem.Statistics statistics, long start) throws IOException {
        HdfsDataOutputStream out = super.createWrappedOutputStream(raw, statistics, start);
        return (HdfsDataOutputStream) calls.output(out, raw.getSrc(), raw);
    }
}
