// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import io.packing.htfs.CallRecorder;
import io.packing.htfs.On;
import io.packing.trace.Call;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.util.Progressable;
import org.jspecify.annotations.NullMarked;

/**
 * HDFS with every call recorded (HTFS, §3.2.1 of Harter's thesis): {@code fs.hdfs.impl} names this class, and no other
 * key changes. HBase's servers run on it: it is a {@link DistributedFileSystem} with HDFS's streams and capabilities.
 *
 * <p>It is in Hadoop's package: only there it can override the method that makes the client, from which every stream
 * comes.
 */
@NullMarked
public class TracingDistributedFileSystem extends TracedCommands {
    public TracingDistributedFileSystem() {}

    @Override
    public void initialize(URI name, Configuration conf) throws IOException {
        if (TracingDistributedFileSystem.class.getClassLoader() != DistributedFileSystem.class.getClassLoader()) {
            // The JVM would treat their packages as two, and the client would silently not be traced.
            throw new IOException(
                    "HTFS must be loaded by the class loader that has HDFS: put its jars on the class path of"
                            + " the process, not on that of the application");
        }
        calls = CallRecorder.of(conf, this::getWorkingDirectory);
        super.initialize(name, conf);
    }

    @Override
    void initDFSClient(URI name, Configuration conf) throws IOException {
        dfs = new TracingDfsClient(name, conf, statistics, calls);
    }

    @Override
    public void close() throws IOException {
        calls.runEach(Call.CLOSE_FILE_SYSTEM, On.NOTHING, super::close);
    }

    @Override
    public void setVerifyChecksum(boolean verify) {
        calls.localRun(Call.SET_VERIFY_CHECKSUM, On.hints("verify=" + verify), () -> super.setVerifyChecksum(verify));
    }

    // Calls that open a stream: the client below gives each its traced one

    @Override
    public FSDataInputStream open(Path f, int bufferSize) throws IOException {
        return calls.call(Call.OPEN, f, () -> super.open(f, bufferSize), CallRecorder::lengthOf);
    }

    @Override
    public FSDataInputStream open(PathHandle handle, int bufferSize) throws IOException {
        return calls.call(
                Call.OPEN_PATH_HANDLE, On.NOTHING, () -> super.open(handle, bufferSize), CallRecorder::lengthOf);
    }

    @Override
    protected CompletableFuture<FSDataInputStream> openFileWithOptions(Path f, OpenFileParameters parameters)
            throws IOException {
        return calls.openedLater(Call.OPEN_FILE, On.path(f), () -> super.openFileWithOptions(f, parameters));
    }

    @Override
    protected CompletableFuture<FSDataInputStream> openFileWithOptions(PathHandle f, OpenFileParameters parameters)
            throws IOException {
        return calls.openedLater(Call.OPEN_PATH_HANDLE, On.NOTHING, () -> super.openFileWithOptions(f, parameters));
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
        On on = On.path(f).with("overwrite=" + overwrite + " replication=" + replication + " block=" + blockSize);
        return calls.call(
                Call.CREATE,
                on,
                () -> super.create(f, permission, overwrite, bufferSize, replication, blockSize, progress));
    }

    @Override
    public FSDataOutputStream create(
            Path f,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            ChecksumOpt checksum)
            throws IOException {
        return calls.call(
                Call.CREATE,
                On.path(f).with(TracingDfsClient.shape(flags, replication, blockSize)),
                () -> super.create(f, permission, flags, bufferSize, replication, blockSize, progress, checksum));
    }

    @Override
    public HdfsDataOutputStream create(
            Path f,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            InetSocketAddress[] favoredNodes)
            throws IOException {
        On on = On.path(f).with("overwrite=" + overwrite + " replication=" + replication + " block=" + blockSize);
        return calls.call(
                Call.CREATE_FAVORED_NODES,
                on,
                () -> super.create(
                        f, permission, overwrite, bufferSize, replication, blockSize, progress, favoredNodes));
    }

    @Override
    public FSDataOutputStream createNonRecursive(
            Path f,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return calls.call(
                Call.CREATE_NON_RECURSIVE,
                On.path(f).with(TracingDfsClient.shape(flags, replication, blockSize)),
                () -> super.createNonRecursive(f, permission, flags, bufferSize, replication, blockSize, progress));
    }

    @Override
    protected HdfsDataOutputStream primitiveCreate(
            Path f,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            ChecksumOpt checksum)
            throws IOException {
        return calls.call(
                Call.CREATE,
                On.path(f).with(TracingDfsClient.shape(flags, replication, blockSize)),
                () -> super.primitiveCreate(
                        f, permission, flags, bufferSize, replication, blockSize, progress, checksum));
    }

    @Override
    public FSDataOutputStream append(Path f, int bufferSize, Progressable progress) throws IOException {
        return calls.call(Call.APPEND, f, () -> super.append(f, bufferSize, progress), TracingDfsClient::start);
    }

    @Override
    public FSDataOutputStream append(Path f, int bufferSize, Progressable progress, boolean newBlock)
            throws IOException {
        return calls.call(
                Call.APPEND,
                On.path(f).with("newblock=" + newBlock),
                () -> super.append(f, bufferSize, progress, newBlock),
                TracingDfsClient::start);
    }

    @Override
    public FSDataOutputStream append(Path f, EnumSet<CreateFlag> flags, int bufferSize, Progressable progress)
            throws IOException {
        return calls.call(
                Call.APPEND,
                On.path(f).with("flags=" + flags),
                () -> super.append(f, flags, bufferSize, progress),
                TracingDfsClient::start);
    }

    /** {@inheritDoc} {@link #appendFile} ends in this one. */
    @Override
    public FSDataOutputStream append(
            Path f, EnumSet<CreateFlag> flags, int bufferSize, Progressable progress, InetSocketAddress[] favoredNodes)
            throws IOException {
        return calls.call(
                Call.APPEND_FILE,
                On.path(f).with("flags=" + flags),
                () -> super.append(f, flags, bufferSize, progress, favoredNodes),
                TracingDfsClient::start);
    }
}
