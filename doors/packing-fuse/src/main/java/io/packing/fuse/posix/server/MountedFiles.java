// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import io.packing.fuse.AttributeUpdate;
import io.packing.fuse.Caller;
import io.packing.fuse.CopiedRange;
import io.packing.fuse.Created;
import io.packing.fuse.DeferredAnswer;
import io.packing.fuse.DirectoryEntries;
import io.packing.fuse.Entry;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.FuseFileSystem;
import io.packing.fuse.NodeAttributes;
import io.packing.fuse.Opened;
import io.packing.fuse.RenameKind;
import io.packing.fuse.Space;
import io.packing.fuse.posix.calls.AttributeCalls;
import io.packing.fuse.posix.calls.ExtendedCalls;
import io.packing.fuse.posix.calls.FileCalls;
import io.packing.fuse.posix.calls.LinkCall;
import io.packing.fuse.posix.calls.Listings;
import io.packing.fuse.posix.calls.LookupCall;
import io.packing.fuse.posix.calls.NameCalls;
import io.packing.fuse.posix.calls.RenameCall;
import io.packing.fuse.posix.calls.SeekCall;
import io.packing.fuse.posix.calls.SpecialFiles;
import io.packing.fuse.posix.node.Node;
import io.packing.fuse.posix.node.OpenMount;
import io.packing.fuse.posix.publish.Publisher;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A directory of a packing mount for the kernel. It only finds the nodes; the call classes work on them. */
final class MountedFiles implements FuseFileSystem {
    private static final Logger LOG = LoggerFactory.getLogger(MountedFiles.class);

    /** The trust from which on names do not change, by the word of the operator. */
    private static final Duration LISTED_FOREVER = Duration.ofHours(1);

    private final OpenMount open;
    private final FileCalls files;
    private final SeekCall seeks;
    private final NameCalls names;
    private final LookupCall lookups;
    private final SpecialFiles special;
    private final RenameCall renames;
    private final LinkCall links;
    private final ExtendedCalls extended;
    private final AttributeCalls attributes;
    private final Listings listings;

    MountedFiles(OpenMount open) {
        Publisher publisher = new Publisher(open);
        this.open = open;
        this.files = new FileCalls(open, publisher);
        this.seeks = new SeekCall(publisher, open.locks);
        this.extended = new ExtendedCalls(open, publisher);
        this.names = new NameCalls(open, publisher, files, extended);
        this.lookups = new LookupCall(open, names);
        this.special = new SpecialFiles(open, names, files, extended);
        this.renames = new RenameCall(open, publisher, names);
        this.links = new LinkCall(open, publisher, names);
        this.attributes = new AttributeCalls(open, publisher, files, extended);
        this.listings = new Listings(open, names);
    }

    private Node node(long number) throws FuseException {
        return open.nodes.get(number);
    }

    @Override
    public Entry lookup(Caller caller, long parent, String name) throws FuseException, IOException {
        return lookups.lookup(node(parent), name);
    }

    @Override
    public void forget(long number, long lookups) {
        try {
            open.nodes.forget(node(number), lookups);
        } catch (FuseException e) {
            LOG.debug("the kernel forgets node {}, which is not here", number);
        }
    }

    @Override
    public NodeAttributes attributes(Caller caller, long node) throws FuseException, IOException {
        return attributes.attributes(caller, node(node));
    }

    @Override
    public NodeAttributes setAttributes(Caller caller, long node, AttributeUpdate update)
            throws FuseException, IOException {
        return attributes.set(node(node), update);
    }

    @Override
    public Entry makeNode(Caller caller, long parent, String name, int mode, int device)
            throws FuseException, IOException {
        return special.makeNode(caller, node(parent), name, mode, device);
    }

    @Override
    public Entry symlink(Caller caller, long parent, String name, byte[] target) throws FuseException, IOException {
        return special.symlink(caller, node(parent), name, target);
    }

    @Override
    public byte[] readLink(Caller caller, long node) throws FuseException, IOException {
        byte[] target = special.readLink(node(node));
        if (open.source.watchesReads()) {
            open.source.wasRead(open.nodes.path(node(node)), 0, target.length);
        }
        return target;
    }

    @Override
    public Entry makeDirectory(Caller caller, long parent, String name, int mode) throws FuseException, IOException {
        return names.makeDirectory(caller, node(parent), name, mode);
    }

    @Override
    public void unlink(Caller caller, long parent, String name) throws FuseException, IOException {
        names.unlink(caller, node(parent), name);
    }

    @Override
    public void removeDirectory(Caller caller, long parent, String name) throws FuseException, IOException {
        names.removeDirectory(caller, node(parent), name);
    }

    @Override
    public void rename(Caller caller, long parent, String name, long newParent, String newName, RenameKind kind)
            throws FuseException, IOException {
        renames.rename(caller, node(parent), name, node(newParent), newName, kind);
    }

    @Override
    public Entry link(Caller caller, long node, long newParent, String newName) throws FuseException, IOException {
        return links.link(caller, node(node), node(newParent), newName);
    }

    @Override
    public Opened open(Caller caller, long node, int flags) throws FuseException, IOException {
        if (open.settings.readOnly()) {
            // The kernel sends no opens from now on.
            throw new FuseException(Errno.ENOSYS);
        }
        return files.open(caller, node(node), flags);
    }

    @Override
    public Created create(Caller caller, long parent, String name, int mode, int flags)
            throws FuseException, IOException {
        return names.create(caller, node(parent), name, mode, flags);
    }

    @Override
    public void read(Caller caller, long node, long handle, long offset, ByteBuffer into)
            throws FuseException, IOException {
        int start = into.position();
        files.read(node(node), offset, into);
        if (open.source.watchesReads()) {
            open.source.wasRead(open.nodes.path(node(node)), offset, into.position() - start);
        }
    }

    @Override
    public void write(Caller caller, long node, long handle, long offset, ByteBuffer from)
            throws FuseException, IOException {
        files.write(node(node), offset, from);
    }

    @Override
    public void flush(Caller caller, long node, long handle, DeferredAnswer answer) throws FuseException, IOException {
        if (open.settings.readOnly()) {
            // The kernel need not report closes either.
            throw new FuseException(Errno.ENOSYS);
        }
        files.flush(node(node), answer);
    }

    @Override
    public void release(Caller caller, long node, long handle, int flags) throws FuseException, IOException {
        files.release(node(node));
    }

    @Override
    public void sync(Caller caller, long node, long handle, boolean dataOnly) throws FuseException, IOException {
        files.sync(node(node));
    }

    @Override
    public byte[] extendedAttribute(Caller caller, long node, String name) throws FuseException, IOException {
        return extended.get(node(node), name);
    }

    @Override
    public byte[] extendedAttributes(Caller caller, long node) throws FuseException, IOException {
        return extended.names(caller, node(node));
    }

    @Override
    public void setExtendedAttribute(Caller caller, long node, String name, byte[] value, int flags)
            throws FuseException, IOException {
        extended.set(node(node), name, value, flags);
    }

    @Override
    public void removeExtendedAttribute(Caller caller, long node, String name) throws FuseException, IOException {
        extended.remove(node(node), name);
    }

    @Override
    public void dropPrivileges(Caller caller, long node) throws FuseException, IOException {
        attributes.dropPrivileges(node(node));
    }

    @Override
    public Opened openDirectory(Caller caller, long node, int flags) throws FuseException {
        if (open.settings.readOnly() && open.settings.valid().compareTo(LISTED_FOREVER) >= 0) {
            // The kernel keeps listings from now on, as long as it has memory: a directory's time does not show changes
            // of its entries.
            throw new FuseException(Errno.ENOSYS);
        }
        return listings.open(node(node));
    }

    @Override
    public void list(Caller caller, long node, long handle, long offset, DirectoryEntries entries)
            throws FuseException, IOException {
        listings.list(node(node), handle, offset, entries);
    }

    @Override
    public void releaseDirectory(Caller caller, long node, long handle) {
        listings.release(handle);
    }

    @Override
    public void syncDirectory(Caller caller, long node, long handle, boolean dataOnly)
            throws FuseException, IOException {
        open.nodes.removed.awaitAll();
        for (Node pending : open.nodes.pendingIn(node(node))) {
            files.sync(pending);
        }
    }

    @Override
    public void syncAll(Caller caller) throws FuseException, IOException {
        open.nodes.removed.awaitAll();
        for (Node node : open.nodes.all()) {
            files.sync(node);
        }
    }

    @Override
    public Space space(Caller caller, long node) throws IOException {
        return attributes.space();
    }

    @Override
    public void allocate(Caller caller, long node, long handle, int mode, long offset, long length)
            throws FuseException, IOException {
        if (caller.user() != 0) {
            attributes.dropPrivileges(node(node));
        }
        files.allocate(node(node), mode, offset, length);
    }

    @Override
    public long seek(Caller caller, long node, long handle, long offset, int whence) throws FuseException, IOException {
        return seeks.seek(node(node), offset, whence);
    }

    @Override
    public long copyRange(Caller caller, CopiedRange range) throws FuseException, IOException {
        if (caller.user() != 0) {
            attributes.dropPrivileges(node(range.to()));
        }
        return files.copy(node(range.from()), node(range.to()), range);
    }

    @Override
    public void destroy() {
        publishAll();
    }

    /** Publishes drafts without recent writes; those that fail stay, and are tried again. */
    void tend() {
        int unused = publish(open.settings.draftAge().toNanos());
        try {
            open.tend();
        } catch (IOException e) {
            LOG.warn("the journal in {} could not be written again", open.settings.state(), e);
        }
    }

    /** Publishes all drafts, and deletes all removed files; returns the number of failures. */
    int publishAll() {
        int failed = publish(0);
        try {
            open.nodes.removed.awaitAll();
        } catch (IOException e) {
            failed++;
            LOG.warn("removed files could not be deleted: {}", e.getMessage());
        }
        return failed;
    }

    private int publish(long olderThanNanos) {
        int failed = 0;
        for (Node node : open.nodes.all()) {
            try {
                files.publishOld(node, olderThanNanos);
            } catch (FuseException | IOException e) {
                failed++;
                LOG.warn("node {}, {}: its writes could not be published: {}", node.number, node.name, e);
            } catch (RuntimeException e) {
                failed++;
                LOG.error("node {}, {}: its writes could not be published", node.number, node.name, e);
            }
        }
        return failed;
    }
}
