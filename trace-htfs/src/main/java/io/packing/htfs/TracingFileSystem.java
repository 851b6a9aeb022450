package io.packing.htfs;

import static io.packing.trace.TraceEvent.NONE;

import io.packing.htfs.record.Caller;
import io.packing.htfs.record.Recorder;
import io.packing.trace.Call;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.FutureDataInputStreamBuilder;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Traces any Hadoop file system: {@code fs.SCHEME.impl} names this class, and {@code htfs.underlying.SCHEME.impl} (or
 * {@code htfs.underlying.impl}) the one that is traced. Every call goes to it, and fails as it fails there. Not for HDFS
 * under HBase, whose servers cast to the class of the real one.
 */
public class TracingFileSystem extends FilterFileSystem {
    private static final Path NOWHERE = new Path("/");

    private Recorder recorder = nobody();
    private Caller caller = new Caller(0, "");

    public TracingFileSystem() {}

    /** Until it is initialized a file system records nothing anybody reads. */
    private static Recorder nobody() {
        return new Recorder(1, new io.packing.htfs.record.CollapseLimits(0, 0, 1), System::nanoTime, () -> {});
    }

    @Override
    public void initialize(URI name, Configuration conf) throws IOException {
        ProcessTracer tracer = ProcessTracer.of(conf);
        // Without a configuration yet: by that the superclass knows that it must initialize it.
        fs = ReflectionUtils.newInstance(underlying(name, conf), null);
        super.initialize(name, conf);
        recorder = tracer.recorder();
        caller = tracer.newCaller(UserGroupInformation.getCurrentUser().getShortUserName());
    }

    private static Class<? extends FileSystem> underlying(URI name, Configuration conf) throws IOException {
        String key = "htfs.underlying.%s.impl".formatted(name.getScheme());
        Class<?> found = conf.getClass(key, conf.getClass(HtfsConfig.UNDERLYING.key(), null));
        if (found == null || found == TracingFileSystem.class || !FileSystem.class.isAssignableFrom(found)) {
            throw new IOException("%s names no file system to trace: set it to the class that fs.%s.impl had before"
                    .formatted(key, name.getScheme()));
        }
        return found.asSubclass(FileSystem.class);
    }

    /** A call of the traced file system. */
    private interface Body<T> {
        T call() throws IOException;
    }

    private <T> T traced(Call call, Path path, String target, Body<T> body, ToLongFunction<T> result)
            throws IOException {
        long start = recorder.now();
        try {
            T value = body.call();
            record(call, start, NONE, path, target, Math.max(NONE, result.applyAsLong(value)), "", "");
            return value;
        } catch (IOException | RuntimeException e) {
            record(call, start, NONE, path, target, NONE, e.getClass().getSimpleName(), "");
            throw e;
        }
    }

    private void record(
            Call call, long start, long stream, Path path, String target, long result, String error, String hints) {
        recorder.call(call, caller, context(), start, recorder.now(), stream, text(path), target, result, error, hints);
    }

    private static String context() {
        CallerContext current = CallerContext.getCurrent();
        return current == null || current.getContext() == null ? "" : current.getContext();
    }

    private String text(Path path) {
        return path.isAbsolute()
                ? path.toUri().getPath()
                : new Path(getWorkingDirectory(), path).toUri().getPath();
    }

    private static long truth(boolean value) {
        return value ? 1 : 0;
    }

    // Calls that open a stream

    private FSDataInputStream opened(Call call, Path path, String hints, Body<FSDataInputStream> open)
            throws IOException {
        long number = recorder.nextStream();
        long start = recorder.now();
        try {
            FSDataInputStream in = open.call();
            record(call, start, number, path, "", NONE, "", hints);
            return traced(in, number, path);
        } catch (IOException | RuntimeException e) {
            record(call, start, NONE, path, "", NONE, e.getClass().getSimpleName(), hints);
            throw e;
        }
    }

    private FSDataInputStream traced(FSDataInputStream in, long number, Path path) {
        return new FSDataInputStream(new TracedInput(in, recorder.stream(caller, number, text(path))));
    }

    private FSDataOutputStream created(Call call, Path path, String hints, Body<FSDataOutputStream> create)
            throws IOException {
        long number = recorder.nextStream();
        long start = recorder.now();
        try {
            FSDataOutputStream out = create.call();
            record(call, start, number, path, "", NONE, "", hints);
            TracedOutput traced = new TracedOutput(out, recorder.stream(caller, number, text(path)), out.getPos());
            return new FSDataOutputStream(traced, null, out.getPos());
        } catch (IOException | RuntimeException e) {
            record(call, start, NONE, path, "", NONE, e.getClass().getSimpleName(), hints);
            throw e;
        }
    }

    @Override
    public FSDataInputStream open(Path f, int bufferSize) throws IOException {
        return opened(Call.OPEN, f, "buffer=" + bufferSize, () -> super.open(f, bufferSize));
    }

    @Override
    public FSDataInputStream open(PathHandle handle, int bufferSize) throws IOException {
        return opened(Call.OPEN_PATH_HANDLE, NOWHERE, "buffer=" + bufferSize, () -> super.open(handle, bufferSize));
    }

    @Override
    public FutureDataInputStreamBuilder openFile(Path f) throws IOException, UnsupportedOperationException {
        // Hadoop's own builder, on this file system: it ends in openFileWithOptions below.
        return createDataInputStreamBuilder(this, f);
    }

    @Override
    protected CompletableFuture<FSDataInputStream> openFileWithOptions(Path f, OpenFileParameters parameters)
            throws IOException {
        long number = recorder.nextStream();
        long start = recorder.now();
        return super.openFileWithOptions(f, parameters).handle((in, failure) -> {
            String error = failure == null ? "" : failure.getClass().getSimpleName();
            record(Call.OPEN_FILE, start, failure == null ? number : NONE, f, "", NONE, error, "");
            if (failure != null) {
                throw failure instanceof RuntimeException same
                        ? same
                        : new java.util.concurrent.CompletionException(failure);
            }
            return traced(in, number, f);
        });
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
        String hints = "overwrite=%s replication=%d block=%d".formatted(overwrite, replication, blockSize);
        return created(
                Call.CREATE,
                f,
                hints,
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
            Options.ChecksumOpt checksum)
            throws IOException {
        String hints = "flags=%s replication=%d block=%d".formatted(flags, replication, blockSize);
        return created(
                Call.CREATE,
                f,
                hints,
                () -> super.create(f, permission, flags, bufferSize, replication, blockSize, progress, checksum));
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
        String hints = "flags=%s replication=%d block=%d".formatted(flags, replication, blockSize);
        return created(
                Call.CREATE_NON_RECURSIVE,
                f,
                hints,
                () -> super.createNonRecursive(f, permission, flags, bufferSize, replication, blockSize, progress));
    }

    @Override
    @SuppressWarnings("rawtypes") // As Hadoop declares it.
    public FSDataOutputStreamBuilder createFile(Path f) {
        // Hadoop's own builder, on this file system: it ends in one of the creates above.
        return createDataOutputStreamBuilder(this, f).create().overwrite(true);
    }

    @Override
    @SuppressWarnings("rawtypes") // As Hadoop declares it.
    public FSDataOutputStreamBuilder appendFile(Path f) {
        return createDataOutputStreamBuilder(this, f).append();
    }

    @Override
    public FSDataOutputStream append(Path f, int bufferSize, Progressable progress) throws IOException {
        return created(Call.APPEND, f, "", () -> super.append(f, bufferSize, progress));
    }

    // Calls on paths

    /** {@inheritDoc} The superclass would not ask the traced file system for its own. */
    @Override
    public BulkDelete createBulkDelete(Path f) throws IOException {
        return traced(Call.BULK_DELETE, f, "", () -> fs.createBulkDelete(f), bulk -> NONE);
    }

    @Override
    public FileStatus getFileStatus(Path f) throws IOException {
        return traced(Call.GET_FILE_STATUS, f, "", () -> super.getFileStatus(f), FileStatus::getLen);
    }

    @Override
    public FileStatus getFileLinkStatus(Path f) throws IOException {
        return traced(Call.GET_FILE_LINK_STATUS, f, "", () -> super.getFileLinkStatus(f), FileStatus::getLen);
    }

    @Override
    public FileStatus[] listStatus(Path f) throws IOException {
        return traced(Call.LIST_STATUS, f, "", () -> super.listStatus(f), all -> all.length);
    }

    @Override
    public BlockLocation[] getFileBlockLocations(FileStatus f, long start, long length) throws IOException {
        return traced(
                Call.GET_FILE_BLOCK_LOCATIONS,
                f.getPath(),
                "",
                () -> super.getFileBlockLocations(f, start, length),
                all -> all.length);
    }

    @Override
    public FileChecksum getFileChecksum(Path f) throws IOException {
        return traced(Call.GET_FILE_CHECKSUM, f, "", () -> super.getFileChecksum(f), sum -> NONE);
    }

    @Override
    public FileChecksum getFileChecksum(Path f, long length) throws IOException {
        return traced(Call.GET_FILE_CHECKSUM, f, "", () -> super.getFileChecksum(f, length), sum -> NONE);
    }

    @Override
    public FsStatus getStatus(Path f) throws IOException {
        return traced(Call.GET_STATUS, f, "", () -> super.getStatus(f), status -> NONE);
    }

    @Override
    public Path getLinkTarget(Path f) throws IOException {
        return traced(Call.GET_LINK_TARGET, f, "", () -> super.getLinkTarget(f), link -> NONE);
    }

    @Override
    public AclStatus getAclStatus(Path f) throws IOException {
        return traced(Call.GET_ACL, f, "", () -> super.getAclStatus(f), acl -> NONE);
    }

    @Override
    public byte[] getXAttr(Path f, String name) throws IOException {
        return traced(Call.GET_XATTR, f, "", () -> super.getXAttr(f, name), value -> value.length);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path f) throws IOException {
        return traced(Call.GET_XATTR, f, "", () -> super.getXAttrs(f), Map::size);
    }

    @Override
    public List<String> listXAttrs(Path f) throws IOException {
        return traced(Call.GET_XATTR, f, "", () -> super.listXAttrs(f), List::size);
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        return traced(Call.RENAME, from, text(to), () -> super.rename(from, to), TracingFileSystem::truth);
    }

    @Override
    public boolean delete(Path f, boolean recursive) throws IOException {
        return traced(Call.DELETE, f, "", () -> super.delete(f, recursive), TracingFileSystem::truth);
    }

    @Override
    public boolean mkdirs(Path f) throws IOException {
        return traced(Call.MKDIRS, f, "", () -> super.mkdirs(f), TracingFileSystem::truth);
    }

    @Override
    public boolean mkdirs(Path f, FsPermission permission) throws IOException {
        return traced(Call.MKDIRS, f, "", () -> super.mkdirs(f, permission), TracingFileSystem::truth);
    }

    @Override
    public boolean truncate(Path f, long length) throws IOException {
        return traced(Call.TRUNCATE, f, "", () -> super.truncate(f, length), TracingFileSystem::truth);
    }

    @Override
    public boolean setReplication(Path f, short replication) throws IOException {
        return traced(
                Call.SET_REPLICATION, f, "", () -> super.setReplication(f, replication), TracingFileSystem::truth);
    }

    @Override
    public Path createSnapshot(Path f, String name) throws IOException {
        return traced(Call.CREATE_SNAPSHOT, f, "", () -> super.createSnapshot(f, name), snapshot -> NONE);
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path f) throws IOException {
        return traced(Call.LIST_LOCATED_STATUS, f, "", () -> super.listLocatedStatus(f), all -> NONE);
    }

    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path f) throws IOException {
        return traced(Call.LIST_STATUS_ITERATOR, f, "", () -> super.listStatusIterator(f), all -> NONE);
    }

    @Override
    public RemoteIterator<Path> listCorruptFileBlocks(Path f) throws IOException {
        return traced(Call.LIST_CORRUPT_FILE_BLOCKS, f, "", () -> super.listCorruptFileBlocks(f), all -> NONE);
    }

    @Override
    public void concat(Path f, Path[] sources) throws IOException {
        traced(
                Call.CONCAT,
                f,
                "",
                () -> {
                    super.concat(f, sources);
                    return true;
                },
                done -> NONE);
    }

    @Override
    public void setOwner(Path f, String user, String group) throws IOException {
        traced(
                Call.SET_OWNER,
                f,
                "",
                () -> {
                    super.setOwner(f, user, group);
                    return true;
                },
                done -> NONE);
    }

    @Override
    public void setTimes(Path f, long mtime, long atime) throws IOException {
        traced(
                Call.SET_TIMES,
                f,
                "",
                () -> {
                    super.setTimes(f, mtime, atime);
                    return true;
                },
                done -> NONE);
    }

    @Override
    public void setPermission(Path f, FsPermission permission) throws IOException {
        traced(
                Call.SET_PERMISSION,
                f,
                "",
                () -> {
                    super.setPermission(f, permission);
                    return true;
                },
                done -> NONE);
    }

    @Override
    public void setStoragePolicy(Path f, String policy) throws IOException {
        traced(
                Call.SET_STORAGE_POLICY,
                f,
                "",
                () -> {
                    super.setStoragePolicy(f, policy);
                    return true;
                },
                done -> NONE);
    }

    @Override
    public void access(Path f, FsAction mode) throws IOException {
        traced(
                Call.ACCESS,
                f,
                "",
                () -> {
                    super.access(f, mode);
                    return true;
                },
                done -> NONE);
    }

    @Override
    public void createSymlink(Path to, Path link, boolean createParent) throws IOException {
        traced(
                Call.CREATE_SYMLINK,
                link,
                text(to),
                () -> {
                    super.createSymlink(to, link, createParent);
                    return true;
                },
                done -> NONE);
    }

    @Override
    public void renameSnapshot(Path f, String from, String to) throws IOException {
        traced(
                Call.RENAME_SNAPSHOT,
                f,
                "",
                () -> {
                    super.renameSnapshot(f, from, to);
                    return true;
                },
                done -> NONE);
    }

    @Override
    public void deleteSnapshot(Path f, String name) throws IOException {
        traced(
                Call.DELETE_SNAPSHOT,
                f,
                "",
                () -> {
                    super.deleteSnapshot(f, name);
                    return true;
                },
                done -> NONE);
    }

    @Override
    public void modifyAclEntries(Path f, List<AclEntry> entries) throws IOException {
        traced(
                Call.MODIFY_ACL,
                f,
                "",
                () -> {
                    super.modifyAclEntries(f, entries);
                    return true;
                },
                done -> NONE);
    }

    @Override
    public void setAcl(Path f, List<AclEntry> entries) throws IOException {
        traced(
                Call.MODIFY_ACL,
                f,
                "",
                () -> {
                    super.setAcl(f, entries);
                    return true;
                },
                done -> NONE);
    }

    @Override
    public void removeAcl(Path f) throws IOException {
        traced(
                Call.MODIFY_ACL,
                f,
                "",
                () -> {
                    super.removeAcl(f);
                    return true;
                },
                done -> NONE);
    }

    @Override
    public void setXAttr(Path f, String name, byte[] value, EnumSet<XAttrSetFlag> flags) throws IOException {
        traced(
                Call.SET_XATTR,
                f,
                "",
                () -> {
                    super.setXAttr(f, name, value, flags);
                    return true;
                },
                done -> NONE);
    }

    @Override
    public void removeXAttr(Path f, String name) throws IOException {
        traced(
                Call.REMOVE_XATTR,
                f,
                "",
                () -> {
                    super.removeXAttr(f, name);
                    return true;
                },
                done -> NONE);
    }

    @Override
    public void close() throws IOException {
        traced(
                Call.CLOSE_FILE_SYSTEM,
                NOWHERE,
                "",
                () -> {
                    super.close();
                    return true;
                },
                done -> NONE);
    }
}
