// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.trace;

import io.packing.fuse.AttributeUpdate;
import io.packing.fuse.Caller;
import io.packing.fuse.CopiedRange;
import io.packing.fuse.Created;
import io.packing.fuse.DeferredAnswer;
import io.packing.fuse.DirectoryEntries;
import io.packing.fuse.Entry;
import io.packing.fuse.FuseException;
import io.packing.fuse.FuseFileSystem;
import io.packing.fuse.NodeAttributes;
import io.packing.fuse.Opened;
import io.packing.fuse.RenameKind;
import io.packing.fuse.Space;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file system that forwards all calls to another one; a subclass changes some of them. */
abstract class ForwardingFiles implements FuseFileSystem {
    private final FuseFileSystem files;

    ForwardingFiles(FuseFileSystem files) {
        this.files = files;
    }

    @Override
    public Entry lookup(Caller caller, long parent, String name) throws FuseException, IOException {
        return files.lookup(caller, parent, name);
    }

    @Override
    public void forget(long node, long lookups) {
        files.forget(node, lookups);
    }

    @Override
    public NodeAttributes attributes(Caller caller, long node) throws FuseException, IOException {
        return files.attributes(caller, node);
    }

    @Override
    public NodeAttributes setAttributes(Caller caller, long node, AttributeUpdate update)
            throws FuseException, IOException {
        return files.setAttributes(caller, node, update);
    }

    @Override
    public void dropPrivileges(Caller caller, long node) throws FuseException, IOException {
        files.dropPrivileges(caller, node);
    }

    @Override
    public byte[] readLink(Caller caller, long node) throws FuseException, IOException {
        return files.readLink(caller, node);
    }

    @Override
    public Entry symlink(Caller caller, long parent, String name, byte[] target) throws FuseException, IOException {
        return files.symlink(caller, parent, name, target);
    }

    @Override
    public Entry makeNode(Caller caller, long parent, String name, int mode, int device)
            throws FuseException, IOException {
        return files.makeNode(caller, parent, name, mode, device);
    }

    @Override
    public Entry makeDirectory(Caller caller, long parent, String name, int mode) throws FuseException, IOException {
        return files.makeDirectory(caller, parent, name, mode);
    }

    @Override
    public void unlink(Caller caller, long parent, String name) throws FuseException, IOException {
        files.unlink(caller, parent, name);
    }

    @Override
    public void removeDirectory(Caller caller, long parent, String name) throws FuseException, IOException {
        files.removeDirectory(caller, parent, name);
    }

    @Override
    public void rename(Caller caller, long parent, String name, long newParent, String newName, RenameKind kind)
            throws FuseException, IOException {
        files.rename(caller, parent, name, newParent, newName, kind);
    }

    @Override
    public Entry link(Caller caller, long node, long newParent, String newName) throws FuseException, IOException {
        return files.link(caller, node, newParent, newName);
    }

    @Override
    public Opened open(Caller caller, long node, int flags) throws FuseException, IOException {
        return files.open(caller, node, flags);
    }

    @Override
    public Created create(Caller caller, long parent, String name, int mode, int flags)
            throws FuseException, IOException {
        return files.create(caller, parent, name, mode, flags);
    }

    @Override
    public void read(Caller caller, long node, long handle, long offset, ByteBuffer into)
            throws FuseException, IOException {
        files.read(caller, node, handle, offset, into);
    }

    @Override
    public void write(Caller caller, long node, long handle, long offset, ByteBuffer from)
            throws FuseException, IOException {
        files.write(caller, node, handle, offset, from);
    }

    @Override
    public void flush(Caller caller, long node, long handle, DeferredAnswer answer) throws FuseException, IOException {
        files.flush(caller, node, handle, answer);
    }

    @Override
    public void release(Caller caller, long node, long handle, int flags) throws FuseException, IOException {
        files.release(caller, node, handle, flags);
    }

    @Override
    public void sync(Caller caller, long node, long handle, boolean dataOnly) throws FuseException, IOException {
        files.sync(caller, node, handle, dataOnly);
    }

    @Override
    public void setExtendedAttribute(Caller caller, long node, String name, byte[] value, int flags)
            throws FuseException, IOException {
        files.setExtendedAttribute(caller, node, name, value, flags);
    }

    @Override
    public byte[] extendedAttribute(Caller caller, long node, String name) throws FuseException, IOException {
        return files.extendedAttribute(caller, node, name);
    }

    @Override
    public byte[] extendedAttributes(Caller caller, long node) throws FuseException, IOException {
        return files.extendedAttributes(caller, node);
    }

    @Override
    public void removeExtendedAttribute(Caller caller, long node, String name) throws FuseException, IOException {
        files.removeExtendedAttribute(caller, node, name);
    }

    @Override
    public Opened openDirectory(Caller caller, long node, int flags) throws FuseException, IOException {
        return files.openDirectory(caller, node, flags);
    }

    @Override
    public void list(Caller caller, long node, long handle, long offset, DirectoryEntries entries)
            throws FuseException, IOException {
        files.list(caller, node, handle, offset, entries);
    }

    @Override
    public void releaseDirectory(Caller caller, long node, long handle) throws FuseException, IOException {
        files.releaseDirectory(caller, node, handle);
    }

    @Override
    public void syncDirectory(Caller caller, long node, long handle, boolean dataOnly)
            throws FuseException, IOException {
        files.syncDirectory(caller, node, handle, dataOnly);
    }

    @Override
    public void access(Caller caller, long node, int mask) throws FuseException, IOException {
        files.access(caller, node, mask);
    }

    @Override
    public Space space(Caller caller, long node) throws FuseException, IOException {
        return files.space(caller, node);
    }

    @Override
    public void allocate(Caller caller, long node, long handle, int mode, long offset, long length)
            throws FuseException, IOException {
        files.allocate(caller, node, handle, mode, offset, length);
    }

    @Override
    public long seek(Caller caller, long node, long handle, long offset, int whence) throws FuseException, IOException {
        return files.seek(caller, node, handle, offset, whence);
    }

    @Override
    public long copyRange(Caller caller, CopiedRange range) throws FuseException, IOException {
        return files.copyRange(caller, range);
    }

    @Override
    public void syncAll(Caller caller) throws FuseException, IOException {
        files.syncAll(caller);
    }

    @Override
    public void destroy() {
        files.destroy();
    }
}
