// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import io.packing.trace.Call;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;

/**
 * The part of {@link TracingFileSystem} that reads and changes the tree of files. Every call goes to an equal call of
 * the traced file system. Hadoop's filter makes some calls of others, which the traced one may do better, or fail
 * otherwise.
 */
public abstract class FilteredNamespace extends FilterFileSystem {
    CallRecorder calls = CallRecorder.silent();

    @Override
    public BlockLocation[] getFileBlockLocations(FileStatus file, long start, long length) throws IOException {
        return calls.call(
                Call.GET_FILE_BLOCK_LOCATIONS,
                pathOf(file),
                () -> fs.getFileBlockLocations(file, start, length),
                all -> all.length);
    }

    @Override
    public BlockLocation[] getFileBlockLocations(Path f, long start, long length) throws IOException {
        return calls.call(
                Call.GET_FILE_BLOCK_LOCATIONS, f, () -> fs.getFileBlockLocations(f, start, length), all -> all.length);
    }

    @Override
    public FileStatus getFileStatus(Path f) throws IOException {
        return calls.call(Call.GET_FILE_STATUS, f, () -> fs.getFileStatus(f), FileStatus::getLen);
    }

    @Override
    public FileStatus getFileLinkStatus(Path f) throws IOException {
        return calls.call(Call.GET_FILE_LINK_STATUS, f, () -> fs.getFileLinkStatus(f), FileStatus::getLen);
    }

    @Override
    public boolean exists(Path f) throws IOException {
        return calls.test(Call.EXISTS, f, () -> fs.exists(f));
    }

    @Override
    public boolean isFile(Path f) throws IOException {
        return calls.test(Call.IS_FILE, f, () -> fs.isFile(f));
    }

    @Override
    public boolean isDirectory(Path f) throws IOException {
        return calls.test(Call.IS_DIRECTORY, f, () -> fs.isDirectory(f));
    }

    @Override
    public FileStatus[] listStatus(Path f) throws IOException {
        return calls.call(Call.LIST_STATUS, f, () -> fs.listStatus(f), all -> all.length);
    }

    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path f) throws IOException {
        return calls.listed(Call.LIST_STATUS_ITERATOR, On.path(f), () -> fs.listStatusIterator(f));
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path f) throws IOException {
        return calls.listed(Call.LIST_LOCATED_STATUS, On.path(f), () -> fs.listLocatedStatus(f));
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listFiles(Path f, boolean recursive) throws IOException {
        return calls.listed(
                Call.LIST_FILES, On.path(f).with("recursive=" + recursive), () -> fs.listFiles(f, recursive));
    }

    @Override
    public RemoteIterator<Path> listCorruptFileBlocks(Path f) throws IOException {
        return calls.listed(Call.LIST_CORRUPT_FILE_BLOCKS, On.path(f), () -> fs.listCorruptFileBlocks(f));
    }

    @Override
    public FileStatus[] globStatus(Path pattern) throws IOException {
        return calls.call(Call.GLOB_STATUS, pattern, () -> fs.globStatus(pattern), all -> all.length);
    }

    @Override
    public FileStatus[] globStatus(Path pattern, PathFilter filter) throws IOException {
        return calls.call(Call.GLOB_STATUS, pattern, () -> fs.globStatus(pattern, filter), all -> all.length);
    }

    @Override
    public FileChecksum getFileChecksum(Path f) throws IOException {
        return calls.call(Call.GET_FILE_CHECKSUM, f, () -> fs.getFileChecksum(f));
    }

    @Override
    public FileChecksum getFileChecksum(Path f, long length) throws IOException {
        return calls.call(
                Call.GET_FILE_CHECKSUM, On.path(f).with("length=" + length), () -> fs.getFileChecksum(f, length));
    }

    @Override
    public ContentSummary getContentSummary(Path f) throws IOException {
        return calls.call(Call.GET_CONTENT_SUMMARY, f, () -> fs.getContentSummary(f), ContentSummary::getLength);
    }

    @Override
    public QuotaUsage getQuotaUsage(Path f) throws IOException {
        return calls.call(Call.GET_QUOTA_USAGE, f, () -> fs.getQuotaUsage(f), QuotaUsage::getSpaceConsumed);
    }

    @Override
    public FsStatus getStatus(Path f) throws IOException {
        return calls.call(Call.GET_STATUS, f, () -> fs.getStatus(f), FsStatus::getUsed);
    }

    @Override
    public long getUsed() throws IOException {
        return calls.call(Call.GET_USED, On.NOTHING, () -> fs.getUsed(), used -> used);
    }

    @Override
    public long getUsed(Path f) throws IOException {
        return calls.call(Call.GET_USED, f, () -> fs.getUsed(f), used -> used);
    }

    @Override
    public FsServerDefaults getServerDefaults() throws IOException {
        return calls.call(Call.GET_SERVER_DEFAULTS, On.NOTHING, () -> fs.getServerDefaults());
    }

    @Override
    public FsServerDefaults getServerDefaults(Path f) throws IOException {
        return calls.call(Call.GET_SERVER_DEFAULTS, f, () -> fs.getServerDefaults(f));
    }

    @Override
    public Path getLinkTarget(Path f) throws IOException {
        return calls.call(Call.GET_LINK_TARGET, f, () -> fs.getLinkTarget(f));
    }

    @Override
    public Path resolvePath(Path f) throws IOException {
        return calls.call(Call.GET_FILE_STATUS, On.path(f).with("op=resolvePath"), () -> fs.resolvePath(f));
    }

    @Override
    public Path getEnclosingRoot(Path f) throws IOException {
        return calls.call(Call.ENCRYPTION_ZONE, On.path(f).with("op=getEnclosingRoot"), () -> fs.getEnclosingRoot(f));
    }

    @Override
    public void access(Path f, FsAction mode) throws IOException {
        calls.run(Call.ACCESS, On.path(f).with("mode=" + mode), () -> fs.access(f, mode));
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        return calls.test(Call.RENAME, On.path(from).to(to), () -> fs.rename(from, to));
    }

    @Override
    public boolean delete(Path f, boolean recursive) throws IOException {
        return calls.test(Call.DELETE, On.path(f).with("recursive=" + recursive), () -> fs.delete(f, recursive));
    }

    @Override
    public boolean deleteOnExit(Path f) throws IOException {
        return calls.test(Call.DELETE_ON_EXIT, f, () -> super.deleteOnExit(f));
    }

    @Override
    public boolean mkdirs(Path f) throws IOException {
        return calls.test(Call.MKDIRS, f, () -> fs.mkdirs(f));
    }

    @Override
    public boolean mkdirs(Path f, FsPermission permission) throws IOException {
        return calls.test(Call.MKDIRS, f, () -> fs.mkdirs(f, permission));
    }

    @Override
    public boolean truncate(Path f, long length) throws IOException {
        return calls.test(Call.TRUNCATE, On.path(f).with("length=" + length), () -> fs.truncate(f, length));
    }

    @Override
    public void concat(Path f, Path[] sources) throws IOException {
        calls.run(Call.CONCAT, On.concatenated(f, sources), () -> fs.concat(f, sources));
    }

    @Override
    public void createSymlink(Path target, Path link, boolean createParent) throws IOException {
        calls.run(Call.CREATE_SYMLINK, On.path(link).to(target), () -> fs.createSymlink(target, link, createParent));
    }

    @Override
    public Collection<FileStatus> getTrashRoots(boolean allUsers) {
        return calls.local(Call.LIST_STATUS, On.hints("op=getTrashRoots"), () -> fs.getTrashRoots(allUsers));
    }

    @Override
    public void msync() throws IOException {
        calls.run(Call.MSYNC, On.NOTHING, () -> fs.msync());
    }

    @Override
    protected void rename(Path from, Path to, Options.Rename... options) throws IOException {
        On on = On.path(from).to(to).with("options=" + Arrays.toString(options));
        calls.run(Call.RENAME, on, () -> super.rename(from, to, options));
    }

    private static @Nullable Path pathOf(@Nullable FileStatus file) {
        return file == null ? null : file.getPath();
    }
}
