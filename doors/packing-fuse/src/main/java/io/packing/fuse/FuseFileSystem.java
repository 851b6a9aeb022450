// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file system as the kernel sees it: nodes by number, of which 1 is the root. A number that was answered with an
 * {@link Entry} is used by the kernel until as many lookups were forgotten. Called by many threads at once.
 *
 * <p>A method that is not overridden answers ENOSYS. For most calls the kernel then never asks again: it does without
 * (open, flush, fsync, access, extended attributes), or its callers get EOPNOTSUPP. An {@link IOException} is EIO, and
 * is logged.
 */
public interface FuseFileSystem {
    /** The number of the root. */
    long ROOT = 1;

    /** Finds a name in a directory. */
    default Entry lookup(Caller caller, long parent, String name) throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    /** Notes that the kernel gives up lookups of a node. */
    default void forget(long node, long lookups) {}

    default NodeAttributes attributes(Caller caller, long node) throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    default NodeAttributes setAttributes(Caller caller, long node, AttributeUpdate update)
            throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    /**
     * Takes set-user-ID and set-group-ID bits from a file before a write or a cut by a caller who may not leave them.
     * Called only when that was agreed on ({@link FuseOptions#extended}).
     */
    default void dropPrivileges(Caller caller, long node) throws FuseException, IOException {}

    default byte[] readLink(Caller caller, long node) throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    default Entry symlink(Caller caller, long parent, String name, byte[] target) throws FuseException, IOException {
        throw new FuseException(Errno.EPERM);
    }

    /** Makes a file of any type but a directory; the mode has the type, and the caller's mask is taken off. */
    default Entry makeNode(Caller caller, long parent, String name, int mode, int device)
            throws FuseException, IOException {
        throw new FuseException(Errno.EPERM);
    }

    default Entry makeDirectory(Caller caller, long parent, String name, int mode) throws FuseException, IOException {
        throw new FuseException(Errno.EPERM);
    }

    default void unlink(Caller caller, long parent, String name) throws FuseException, IOException {
        throw new FuseException(Errno.EPERM);
    }

    default void removeDirectory(Caller caller, long parent, String name) throws FuseException, IOException {
        throw new FuseException(Errno.EPERM);
    }

    /** Moves a name. */
    default void rename(Caller caller, long parent, String name, long newParent, String newName, RenameKind kind)
            throws FuseException, IOException {
        throw new FuseException(Errno.EPERM);
    }

    default Entry link(Caller caller, long node, long newParent, String newName) throws FuseException, IOException {
        throw new FuseException(Errno.EPERM);
    }

    /** Opens a file; flags are those of {@code open(2)}. */
    default Opened open(Caller caller, long node, int flags) throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    /** Makes a file and opens it; one that is there already is opened, unless the flags have O_EXCL. */
    default Created create(Caller caller, long parent, String name, int mode, int flags)
            throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    /** Fills the buffer from an offset on; fewer bytes mean the end of the file. */
    default void read(Caller caller, long node, long handle, long offset, ByteBuffer into)
            throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    /** Takes all bytes of the buffer. */
    default void write(Caller caller, long node, long handle, long offset, ByteBuffer from)
            throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    /**
     * Notes that a descriptor is closed; others of the open file may be left.
     *
     * @param answer is given, now or later, unless this throws
     */
    default void flush(Caller caller, long node, long handle, DeferredAnswer answer) throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    /** Notes that the last descriptor of an open file was closed. */
    default void release(Caller caller, long node, long handle, int flags) throws FuseException, IOException {}

    default void sync(Caller caller, long node, long handle, boolean dataOnly) throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    default void setExtendedAttribute(Caller caller, long node, String name, byte[] value, int flags)
            throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    default byte[] extendedAttribute(Caller caller, long node, String name) throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    /** Returns the names, each with a NUL behind it. */
    default byte[] extendedAttributes(Caller caller, long node) throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    default void removeExtendedAttribute(Caller caller, long node, String name) throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    default Opened openDirectory(Caller caller, long node, int flags) throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    /**
     * Lists a directory.
     *
     * @param offset 0, or the next of an entry
     */
    default void list(Caller caller, long node, long handle, long offset, DirectoryEntries entries)
            throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    default void releaseDirectory(Caller caller, long node, long handle) throws FuseException, IOException {}

    default void syncDirectory(Caller caller, long node, long handle, boolean dataOnly)
            throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    default void access(Caller caller, long node, int mask) throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    default Space space(Caller caller, long node) throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    /** Makes room or holes; the mode is that of {@code fallocate(2)}. */
    default void allocate(Caller caller, long node, long handle, int mode, long offset, long length)
            throws FuseException, IOException {
        throw new FuseException(Errno.EOPNOTSUPP);
    }

    default long seek(Caller caller, long node, long handle, long offset, int whence)
            throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    /** Copies bytes between files; returns how many. */
    default long copyRange(Caller caller, CopiedRange range) throws FuseException, IOException {
        throw new FuseException(Errno.EOPNOTSUPP);
    }

    /** Makes all files durable. */
    default void syncAll(Caller caller) throws FuseException, IOException {
        throw new FuseException(Errno.ENOSYS);
    }

    /** Notes that the mount is gone. Called at most once. */
    default void destroy() {}
}
