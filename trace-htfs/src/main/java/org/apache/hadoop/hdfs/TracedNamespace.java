// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import io.packing.htfs.CallRecorder;
import io.packing.htfs.On;
import io.packing.trace.Call;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.PartialListing;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** The part of {@link TracingDistributedFileSystem} that reads and changes the tree of files. */
@NullMarked
public abstract class TracedNamespace extends DistributedFileSystem {
    CallRecorder calls = CallRecorder.silent();

    @Override
    public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long length) throws IOException {
        return calls.call(
                Call.GET_FILE_BLOCK_LOCATIONS,
                pathOf(file),
                () -> super.getFileBlockLocations(file, start, length),
                all -> all.length);
    }

    @Override
    public BlockLocation[] getFileBlockLocations(Path f, long start, long length) throws IOException {
        return calls.call(
                Call.GET_FILE_BLOCK_LOCATIONS,
                f,
                () -> super.getFileBlockLocations(f, start, length),
                all -> all.length);
    }

    @Override
    public LocatedBlocks getLocatedBlocks(Path f, long start, long length) throws IOException {
        return calls.call(
                Call.GET_FILE_BLOCK_LOCATIONS,
                f,
                () -> super.getLocatedBlocks(f, start, length),
                LocatedBlocks::locatedBlockCount);
    }

    @Override
    public FileStatus getFileStatus(Path f) throws IOException {
        return calls.call(Call.GET_FILE_STATUS, f, () -> super.getFileStatus(f), FileStatus::getLen);
    }

    @Override
    public FileStatus getFileLinkStatus(Path f) throws IOException {
        return calls.call(Call.GET_FILE_LINK_STATUS, f, () -> super.getFileLinkStatus(f), FileStatus::getLen);
    }

    @Override
    public boolean exists(Path f) throws IOException {
        return calls.test(Call.EXISTS, f, () -> super.exists(f));
    }

    @Override
    public boolean isFile(Path f) throws IOException {
        return calls.test(Call.IS_FILE, f, () -> super.isFile(f));
    }

    @Override
    public boolean isDirectory(Path f) throws IOException {
        return calls.test(Call.IS_DIRECTORY, f, () -> super.isDirectory(f));
    }

    @Override
    public FileStatus[] listStatus(Path f) throws IOException {
        return calls.call(Call.LIST_STATUS, f, () -> super.listStatus(f), all -> all.length);
    }

    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path f) throws IOException {
        return calls.call(Call.LIST_STATUS_ITERATOR, f, () -> super.listStatusIterator(f));
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path f) throws IOException {
        return calls.call(Call.LIST_LOCATED_STATUS, f, () -> super.listLocatedStatus(f));
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listFiles(Path f, boolean recursive) throws IOException {
        return calls.call(
                Call.LIST_FILES, On.path(f).with("recursive=" + recursive), () -> super.listFiles(f, recursive));
    }

    @Override
    public RemoteIterator<PartialListing<FileStatus>> batchedListStatusIterator(List<Path> paths) throws IOException {
        return calls.call(Call.LIST_STATUS_BATCH, firstOf(paths), () -> super.batchedListStatusIterator(paths));
    }

    @Override
    public RemoteIterator<PartialListing<LocatedFileStatus>> batchedListLocatedStatusIterator(List<Path> paths)
            throws IOException {
        return calls.call(Call.LIST_STATUS_BATCH, firstOf(paths), () -> super.batchedListLocatedStatusIterator(paths));
    }

    @Override
    public RemoteIterator<Path> listCorruptFileBlocks(Path f) throws IOException {
        return calls.call(Call.LIST_CORRUPT_FILE_BLOCKS, f, () -> super.listCorruptFileBlocks(f));
    }

    @Override
    public FileStatus[] globStatus(Path pattern) throws IOException {
        return calls.call(Call.GLOB_STATUS, pattern, () -> super.globStatus(pattern), all -> all.length);
    }

    @Override
    public FileStatus[] globStatus(Path pattern, PathFilter filter) throws IOException {
        return calls.call(Call.GLOB_STATUS, pattern, () -> super.globStatus(pattern, filter), all -> all.length);
    }

    @Override
    public FileChecksum getFileChecksum(Path f) throws IOException {
        return calls.call(Call.GET_FILE_CHECKSUM, f, () -> super.getFileChecksum(f));
    }

    @Override
    public FileChecksum getFileChecksum(Path f, long length) throws IOException {
        return calls.call(
                Call.GET_FILE_CHECKSUM, On.path(f).with("length=" + length), () -> super.getFileChecksum(f, length));
    }

    @Override
    public ContentSummary getContentSummary(Path f) throws IOException {
        return calls.call(Call.GET_CONTENT_SUMMARY, f, () -> super.getContentSummary(f), ContentSummary::getLength);
    }

    @Override
    public QuotaUsage getQuotaUsage(Path f) throws IOException {
        return calls.call(Call.GET_QUOTA_USAGE, f, () -> super.getQuotaUsage(f), QuotaUsage::getSpaceConsumed);
    }

    @Override
    public FsStatus getStatus(Path f) throws IOException {
        return calls.call(Call.GET_STATUS, f, () -> super.getStatus(f), FsStatus::getUsed);
    }

    @Override
    public long getUsed() throws IOException {
        return calls.call(Call.GET_USED, On.NOTHING, () -> super.getUsed(), used -> used);
    }

    @Override
    public long getUsed(Path f) throws IOException {
        return calls.call(Call.GET_USED, f, () -> super.getUsed(f), used -> used);
    }

    @Override
    public FsServerDefaults getServerDefaults() throws IOException {
        return calls.call(Call.GET_SERVER_DEFAULTS, On.NOTHING, () -> super.getServerDefaults());
    }

    @Override
    public Path getLinkTarget(Path f) throws IOException {
        return calls.call(Call.GET_LINK_TARGET, f, () -> super.getLinkTarget(f));
    }

    @Override
    public void access(Path f, FsAction mode) throws IOException {
        calls.run(Call.ACCESS, On.path(f).with("mode=" + mode), () -> super.access(f, mode));
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        return calls.test(Call.RENAME, On.path(from).to(to), () -> super.rename(from, to));
    }

    @Override
    public void rename(Path from, Path to, Options.Rename... options) throws IOException {
        calls.run(
                Call.RENAME,
                On.path(from).to(to).with("options=" + Arrays.toString(options)),
                () -> super.rename(from, to, options));
    }

    @Override
    public boolean delete(Path f, boolean recursive) throws IOException {
        return calls.test(Call.DELETE, On.path(f).with("recursive=" + recursive), () -> super.delete(f, recursive));
    }

    @Override
    public boolean deleteOnExit(Path f) throws IOException {
        return calls.test(Call.DELETE_ON_EXIT, f, () -> super.deleteOnExit(f));
    }

    @Override
    public boolean mkdir(Path f, FsPermission permission) throws IOException {
        return calls.test(Call.MKDIRS, On.path(f).with("op=mkdir"), () -> super.mkdir(f, permission));
    }

    @Override
    public boolean mkdirs(Path f, FsPermission permission) throws IOException {
        return calls.test(Call.MKDIRS, f, () -> super.mkdirs(f, permission));
    }

    @Override
    public boolean truncate(Path f, long length) throws IOException {
        return calls.test(Call.TRUNCATE, On.path(f).with("length=" + length), () -> super.truncate(f, length));
    }

    @Override
    public void concat(Path f, Path[] sources) throws IOException {
        calls.run(Call.CONCAT, On.concatenated(f, sources), () -> super.concat(f, sources));
    }

    @Override
    public void createSymlink(Path target, Path link, boolean createParent) throws IOException {
        calls.run(Call.CREATE_SYMLINK, On.path(link).to(target), () -> super.createSymlink(target, link, createParent));
    }

    @Override
    public boolean setReplication(Path f, short replication) throws IOException {
        return calls.test(
                Call.SET_REPLICATION,
                On.path(f).with("replication=" + replication),
                () -> super.setReplication(f, replication));
    }

    @Override
    public void setPermission(Path f, FsPermission permission) throws IOException {
        calls.run(
                Call.SET_PERMISSION,
                On.path(f).with("permission=" + permission),
                () -> super.setPermission(f, permission));
    }

    @Override
    public void setOwner(Path f, String user, String group) throws IOException {
        calls.run(Call.SET_OWNER, f, () -> super.setOwner(f, user, group));
    }

    @Override
    public void setTimes(Path f, long mtime, long atime) throws IOException {
        calls.run(Call.SET_TIMES, f, () -> super.setTimes(f, mtime, atime));
    }

    @Override
    public void setStoragePolicy(Path f, String policy) throws IOException {
        calls.run(
                Call.SET_STORAGE_POLICY, On.path(f).with("policy=" + policy), () -> super.setStoragePolicy(f, policy));
    }

    @Override
    public void unsetStoragePolicy(Path f) throws IOException {
        calls.run(Call.UNSET_STORAGE_POLICY, f, () -> super.unsetStoragePolicy(f));
    }

    @Override
    public BlockStoragePolicySpi getStoragePolicy(Path f) throws IOException {
        return calls.call(Call.GET_STORAGE_POLICY, f, () -> super.getStoragePolicy(f));
    }

    @Override
    public Collection<BlockStoragePolicy> getAllStoragePolicies() throws IOException {
        return calls.call(
                Call.GET_STORAGE_POLICY,
                On.hints("op=getAllStoragePolicies"),
                () -> super.getAllStoragePolicies(),
                Collection::size);
    }

    @Override
    public BlockStoragePolicy[] getStoragePolicies() throws IOException {
        return calls.call(
                Call.GET_STORAGE_POLICY,
                On.hints("op=getStoragePolicies"),
                () -> super.getStoragePolicies(),
                all -> all.length);
    }

    @Override
    public void satisfyStoragePolicy(Path f) throws IOException {
        calls.run(Call.SATISFY_STORAGE_POLICY, f, () -> super.satisfyStoragePolicy(f));
    }

    @Override
    public void msync() throws IOException {
        calls.run(Call.MSYNC, On.NOTHING, () -> super.msync());
    }

    private static On firstOf(@Nullable List<Path> paths) {
        int count = paths == null ? 0 : paths.size();
        return On.path(paths == null || count == 0 ? null : paths.get(0)).with("paths=" + count);
    }

    private static @Nullable Path pathOf(@Nullable FileStatus file) {
        return file == null ? null : file.getPath();
    }
}
