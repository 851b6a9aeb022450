// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import io.packing.trace.Call;
import java.io.IOException;
import java.net.URISyntaxException;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FilterFs;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;

/** The part of {@link TracingAbstractFileSystem} that reads and changes the tree of files. */
abstract class AbstractNamespace extends FilterFs {
    final AbstractFileSystem plain;
    final CallRecorder calls;

    AbstractNamespace(AbstractFileSystem plain, CallRecorder calls) throws URISyntaxException {
        super(plain);
        this.plain = plain;
        this.calls = calls;
    }

    @Override
    public BlockLocation[] getFileBlockLocations(Path f, long start, long length) throws IOException {
        return calls.call(
                Call.GET_FILE_BLOCK_LOCATIONS,
                f,
                () -> plain.getFileBlockLocations(f, start, length),
                all -> all.length);
    }

    @Override
    public FileStatus getFileStatus(Path f) throws IOException {
        return calls.call(Call.GET_FILE_STATUS, f, () -> plain.getFileStatus(f), FileStatus::getLen);
    }

    @Override
    public FileStatus getFileLinkStatus(Path f) throws IOException {
        return calls.call(Call.GET_FILE_LINK_STATUS, f, () -> plain.getFileLinkStatus(f), FileStatus::getLen);
    }

    @Override
    public FileStatus[] listStatus(Path f) throws IOException {
        return calls.call(Call.LIST_STATUS, f, () -> plain.listStatus(f), all -> all.length);
    }

    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path f) throws IOException {
        return calls.listed(Call.LIST_STATUS_ITERATOR, On.path(f), () -> plain.listStatusIterator(f));
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path f) throws IOException {
        return calls.listed(Call.LIST_LOCATED_STATUS, On.path(f), () -> plain.listLocatedStatus(f));
    }

    @Override
    public RemoteIterator<Path> listCorruptFileBlocks(Path f) throws IOException {
        return calls.listed(Call.LIST_CORRUPT_FILE_BLOCKS, On.path(f), () -> plain.listCorruptFileBlocks(f));
    }

    @Override
    public FileChecksum getFileChecksum(Path f) throws IOException {
        return calls.call(Call.GET_FILE_CHECKSUM, f, () -> plain.getFileChecksum(f));
    }

    @Override
    public FsStatus getFsStatus() throws IOException {
        return calls.call(Call.GET_STATUS, On.NOTHING, () -> plain.getFsStatus(), FsStatus::getUsed);
    }

    @Override
    public FsStatus getFsStatus(Path f) throws IOException {
        return calls.call(Call.GET_STATUS, f, () -> plain.getFsStatus(f), FsStatus::getUsed);
    }

    @Override
    public FsServerDefaults getServerDefaults() throws IOException {
        return calls.call(Call.GET_SERVER_DEFAULTS, On.NOTHING, () -> plain.getServerDefaults());
    }

    @Override
    public FsServerDefaults getServerDefaults(Path f) throws IOException {
        return calls.call(Call.GET_SERVER_DEFAULTS, f, () -> plain.getServerDefaults(f));
    }

    @Override
    public Path getLinkTarget(Path f) throws IOException {
        return calls.call(Call.GET_LINK_TARGET, f, () -> plain.getLinkTarget(f));
    }

    @Override
    public Path resolvePath(Path f) throws IOException {
        return calls.call(Call.GET_FILE_STATUS, On.path(f).with("op=resolvePath"), () -> plain.resolvePath(f));
    }

    @Override
    public Path getEnclosingRoot(Path f) throws IOException {
        return calls.call(
                Call.ENCRYPTION_ZONE, On.path(f).with("op=getEnclosingRoot"), () -> plain.getEnclosingRoot(f));
    }

    @Override
    public void access(Path f, FsAction mode) throws IOException {
        calls.run(Call.ACCESS, On.path(f).with("mode=" + mode), () -> plain.access(f, mode));
    }

    @Override
    public void renameInternal(Path from, Path to) throws IOException {
        calls.run(Call.RENAME, On.path(from).to(to), () -> plain.renameInternal(from, to));
    }

    @Override
    public void renameInternal(Path from, Path to, boolean overwrite) throws IOException {
        calls.run(
                Call.RENAME,
                On.path(from).to(to).with("overwrite=" + overwrite),
                () -> plain.renameInternal(from, to, overwrite));
    }

    @Override
    public boolean delete(Path f, boolean recursive) throws IOException {
        return calls.test(Call.DELETE, On.path(f).with("recursive=" + recursive), () -> plain.delete(f, recursive));
    }

    @Override
    public void mkdir(Path f, FsPermission permission, boolean createParent) throws IOException {
        calls.run(
                Call.MKDIRS,
                On.path(f).with("parents=" + createParent),
                () -> plain.mkdir(f, permission, createParent));
    }

    @Override
    public boolean truncate(Path f, long length) throws IOException {
        return calls.test(Call.TRUNCATE, On.path(f).with("length=" + length), () -> plain.truncate(f, length));
    }

    @Override
    public void createSymlink(Path target, Path link, boolean createParent) throws IOException {
        calls.run(Call.CREATE_SYMLINK, On.path(link).to(target), () -> plain.createSymlink(target, link, createParent));
    }

    @Override
    public void msync() throws IOException {
        calls.run(Call.MSYNC, On.NOTHING, () -> plain.msync());
    }
}
