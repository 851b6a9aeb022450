// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import io.packing.trace.Call;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;
import org.apache.hadoop.fs.MultipartUploaderBuilder;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.StorageStatistics;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.token.DelegationTokenIssuer;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * The {@link TracingFileSystem} for Hadoop 3.3, which has no bulk deletes: there, reflection (such as Spark's) fails on
 * a class that mentions them.
 */
public class Hadoop33TracingFileSystem extends FilteredAttributes {
    private final BufferHint buffer = new BufferHint();

    public Hadoop33TracingFileSystem() {}

    @Override
    public void initialize(URI name, Configuration conf) throws IOException {
        CallRecorder recorder = CallRecorder.of(conf, this::getWorkingDirectory);
        // The file system gets no configuration yet, so that the superclass initializes it.
        fs = ReflectionUtils.newInstance(underlying(name, conf), null);
        super.initialize(name, conf);
        calls = recorder;
    }

    private static Class<? extends FileSystem> underlying(URI name, Configuration conf) throws IOException {
        String key = "htfs.underlying.%s.impl".formatted(name.getScheme());
        Class<?> found = conf.getClass(key, conf.getClass(HtfsOptions.UNDERLYING.key(), null));
        if (found == null
                || Hadoop33TracingFileSystem.class.isAssignableFrom(found)
                || !FileSystem.class.isAssignableFrom(found)) {
            throw new IOException("%s names no file system to trace: set it to the class that fs.%s.impl had before"
                    .formatted(key, name.getScheme()));
        }
        return found.asSubclass(FileSystem.class);
    }

    @Override
    public void close() throws IOException {
        calls.runEach(Call.CLOSE_FILE_SYSTEM, On.NOTHING, super::close);
    }

    // Methods that Hadoop's filter answers itself; here the traced file system does

    @Override
    public String getScheme() {
        return fs.getScheme();
    }

    @Override
    public String getCanonicalServiceName() {
        return fs.getCanonicalServiceName();
    }

    @Override
    public DelegationTokenIssuer[] getAdditionalTokenIssuers() throws IOException {
        return fs.getAdditionalTokenIssuers();
    }

    @Override
    public StorageStatistics getStorageStatistics() {
        return fs.getStorageStatistics();
    }

    @Override
    public MultipartUploaderBuilder createMultipartUploader(Path base) throws IOException {
        return calls.call(Call.CREATE_MULTIPART_UPLOADER, base, () -> fs.createMultipartUploader(base));
    }

    // Calls that open a stream

    @Override
    public FSDataInputStream open(Path f, int bufferSize) throws IOException {
        return calls.opened(Call.OPEN, On.path(f).with(buffer.of(bufferSize)), () -> fs.open(f, bufferSize));
    }

    @Override
    public FSDataInputStream open(PathHandle handle, int bufferSize) throws IOException {
        return calls.opened(Call.OPEN_PATH_HANDLE, On.hints(buffer.of(bufferSize)), () -> fs.open(handle, bufferSize));
    }

    @Override
    public FutureDataInputStreamBuilder openFile(Path f) throws IOException, UnsupportedOperationException {
        // Hadoop's own builder on this file system ends in openFileWithOptions below.
        return createDataInputStreamBuilder(this, f);
    }

    @Override
    public FutureDataInputStreamBuilder openFile(PathHandle handle) throws IOException, UnsupportedOperationException {
        return createDataInputStreamBuilder(this, handle);
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

    private static On created(Path f, Object mode, short replication, long blockSize) {
        return On.path(f).with("mode=" + mode + " replication=" + replication + " block=" + blockSize);
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
        return calls.created(
                Call.CREATE,
                created(f, overwrite ? "overwrite" : "create", replication, blockSize),
                () -> fs.create(f, permission, overwrite, bufferSize, replication, blockSize, progress));
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
            Options.ChecksumOpt checksum)
            throws IOException {
        return calls.created(
                Call.CREATE,
                created(f, flags, replication, blockSize),
                () -> fs.create(f, permission, flags, bufferSize, replication, blockSize, progress, checksum));
    }

    @Override
    protected FSDataOutputStream primitiveCreate(
            Path f,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            Options.ChecksumOpt checksum)
            throws IOException {
        return calls.created(
                Call.CREATE,
                created(f, flags, replication, blockSize),
                () -> super.primitiveCreate(
                        f, permission, flags, bufferSize, replication, blockSize, progress, checksum));
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
        return calls.created(
                Call.CREATE_NON_RECURSIVE,
                created(f, flags, replication, blockSize),
                () -> fs.createNonRecursive(f, permission, flags, bufferSize, replication, blockSize, progress));
    }

    @Override
    public FSDataOutputStream append(Path f, int bufferSize, Progressable progress) throws IOException {
        return calls.created(Call.APPEND, On.path(f), () -> fs.append(f, bufferSize, progress));
    }

    @Override
    public FSDataOutputStream append(Path f, int bufferSize, Progressable progress, boolean newBlock)
            throws IOException {
        On on = On.path(f).with("newblock=" + newBlock);
        return calls.created(Call.APPEND, on, () -> fs.append(f, bufferSize, progress, newBlock));
    }

    @Override
    @SuppressWarnings("rawtypes") // Hadoop declares a raw type.
    public FSDataOutputStreamBuilder createFile(Path f) {
        return new TracedOutputBuilder(this, f, fs.createFile(f), calls, Call.CREATE_FILE);
    }

    @Override
    @SuppressWarnings("rawtypes") // Hadoop declares a raw type.
    public FSDataOutputStreamBuilder appendFile(Path f) {
        return new TracedOutputBuilder(this, f, fs.appendFile(f), calls, Call.APPEND_FILE);
    }
}
