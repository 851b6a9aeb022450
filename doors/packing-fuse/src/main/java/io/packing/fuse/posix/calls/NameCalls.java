// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.calls;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.VectorResult;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.fuse.Caller;
import io.packing.fuse.Created;
import io.packing.fuse.Entry;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.Mode;
import io.packing.fuse.Opened;
import io.packing.fuse.posix.ErrnoMapping;
import io.packing.fuse.posix.node.LockedNodes;
import io.packing.fuse.posix.node.NameCache;
import io.packing.fuse.posix.node.Node;
import io.packing.fuse.posix.node.OpenMount;
import io.packing.fuse.posix.publish.Publisher;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The calls on names, which make and remove entries. */
public final class NameCalls {
    private static final int EXCLUSIVE = 0200;

    private final OpenMount open;
    private final Publisher publisher;
    private final FileCalls files;
    private final ExtendedCalls extended;

    public NameCalls(OpenMount open, Publisher publisher, FileCalls files, ExtendedCalls extended) {
        this.extended = extended;
        this.open = open;
        this.publisher = publisher;
        this.files = files;
    }

    /** Runs a call while paths do not change. */
    <T> T shared(LockedNodes.Locked<T> call) throws FuseException, IOException {
        open.tree.readLock().lock();
        try {
            return call.call();
        } finally {
            open.tree.readLock().unlock();
        }
    }

    static boolean isPending(Node node) {
        node.lock.lock();
        try {
            return node.isPending() && !node.unlinked;
        } finally {
            node.lock.unlock();
        }
    }

    /** Returns the entry of a status in the table, with one lookup more. */
    Entry counted(Node parent, String name, FileStatus status) throws FuseException, IOException {
        // Count it at once: a node that the kernel knows by this lookup only is then not dropped.
        return learnt(open.nodes.lookedUp(parent, name, status), status);
    }

    /**
     * Returns the entry of a status in the table, with one lookup more; empty if a file was renamed in the directory
     * since.
     *
     * @param moves in the directory before the table was asked
     */
    Optional<Entry> counted(Node parent, String name, FileStatus status, long moves) throws FuseException, IOException {
        Optional<Node> node = open.nodes.lookedUp(parent, name, status, moves);
        return node.isEmpty() ? Optional.empty() : Optional.of(learnt(node.get(), status));
    }

    private Entry learnt(Node node, FileStatus status) throws FuseException, IOException {
        node.lock.lock();
        try {
            boolean isBack = node.unlinked && open.nodes.isNamed(node);
            if (isBack) {
                node.unlinked = false;
                publisher.deleteKept(node);
            }
            open.learn(node, status);
            if (isBack) {
                // This name is the one by which it was kept.
                node.loseLink();
            }
            if (node.isDevice() && node.device.isEmpty()) {
                node.device = OptionalInt.of(SpecialFiles.device(open, status));
            }
            return open.answers.entry(node);
        } catch (FuseException | IOException | RuntimeException e) {
            open.nodes.forget(node, 1);
            throw e;
        } finally {
            node.lock.unlock();
        }
    }

    /** Returns the entry of a node, with one lookup more. */
    Entry counted(Node node) throws FuseException {
        node.lock.lock();
        try {
            open.nodes.lookedUp(node);
            return open.answers.entry(node);
        } finally {
            node.lock.unlock();
        }
    }

    public Created create(Caller caller, Node parent, String name, int mode, int flags)
            throws FuseException, IOException {
        return shared(() -> {
            FilePath path = open.nodes.path(parent, name);
            checkCreatable(path);
            know(parent, path);
            boolean exclusive = (flags & EXCLUSIVE) != 0;
            Optional<Node> known = open.nodes.child(parent, name);
            boolean pending = known.isPresent() && isPending(known.get());
            Optional<FileStatus> there =
                    known.isPresent() && !pending ? open.bdt().stat(path) : Optional.empty();
            if (pending || there.isPresent()) {
                if (exclusive && !caller.again()) {
                    throw new FuseException(Errno.EEXIST);
                }
                Entry entry = there.isPresent() ? counted(parent, name, there.get()) : counted(known.get());
                return opened(caller, entry, flags);
            }
            known.ifPresent(gone -> open.nodes.leave(gone, parent, name));
            Node node = make(caller, parent, name, mode, exclusive);
            node.lock.lock();
            try {
                open.opens(node, 1);
                return new Created(counted(node), new Opened(0, Opened.KEEP_CACHE));
            } finally {
                node.lock.unlock();
            }
        });
    }

    private Created opened(Caller caller, Entry entry, int flags) throws FuseException, IOException {
        Node node = open.nodes.get(entry.node());
        try {
            return new Created(entry, files.open(caller, node, flags));
        } catch (FuseException | IOException | RuntimeException e) {
            // The kernel does not learn of the entry.
            open.nodes.forget(node, 1);
            throw e;
        }
    }

    /**
     * Prepares a directory for a new name: learns one of an earlier server, which is unknown before the first request,
     * and waits until the table has lost a removed file of this name.
     */
    void know(Node parent, FilePath path) throws FuseException, IOException {
        open.nodes.removed.await(parent, path.name());
        if (parent.version.isEmpty()) {
            FileStatus unused = publisher.present(parent, path.parent().orElseThrow());
        }
    }

    private Node make(Caller caller, Node parent, String name, int mode, boolean exclusive)
            throws FuseException, IOException {
        ExtendedCalls.Given given = extended.given(caller, parent, mode, false);
        FileAttributes attributes = open.attributes(caller, parent, given.mode());
        Node node = open.nodes.create(parent, name, attributes);
        node.lock.lock();
        try {
            node.exclusive = exclusive;
            node.draft = open.newDraft(node);
            node.writtenAt = open.nanoTime.getAsLong();
            if (!given.steps().isEmpty()) {
                publisher.create(node, given.steps());
            }
        } catch (FuseException | IOException e) {
            open.nodes.detach(node);
            open.locks.dropDraft(node);
            throw e;
        } finally {
            node.lock.unlock();
        }
        open.touch(parent);
        return node;
    }

    /** Refuses to remove entries of a snapshot; accepts an older name that is too long for a new entry. */
    private static void checkRemovable(FilePath path) throws FuseException {
        if (path.isPast()) {
            throw new FuseException(Errno.EROFS, "a snapshot is never changed");
        }
    }

    static void checkCreatable(FilePath path) throws FuseException {
        checkRemovable(path);
        if (path.whyNotCreatable().isPresent()) {
            throw new FuseException(Errno.ENAMETOOLONG, path.whyNotCreatable().get());
        }
    }

    /** Serves {@code mknod(2)} for an ordinary file, without bytes. */
    Entry makeFile(Caller caller, Node parent, String name, int mode) throws FuseException, IOException {
        Created created = create(caller, parent, name, mode & Mode.PERMISSIONS, EXCLUSIVE);
        files.release(open.nodes.get(created.entry().node()));
        return created.entry();
    }

    public Entry makeDirectory(Caller caller, Node parent, String name, int mode) throws FuseException, IOException {
        return shared(() -> {
            FilePath path = open.nodes.path(parent, name);
            checkCreatable(path);
            know(parent, path);
            Optional<Node> known = open.nodes.child(parent, name);
            if (known.isPresent() && isPending(known.get())) {
                throw new FuseException(Errno.EEXIST);
            }
            ExtendedCalls.Given given = extended.given(caller, parent, mode, true);
            FileAttributes wanted = open.attributes(caller, parent, given.mode());
            int inherited = parent.attributes.mode() & Mode.SET_GROUP;
            DirectoryAttributes attributes =
                    new DirectoryAttributes(wanted.owner(), wanted.group(), wanted.mode() | inherited);
            long before = open.nanoTime.getAsLong();
            Outcome outcome = makeDirectory(path, attributes, given.steps());
            if (outcome != Outcome.EXISTS || !caller.again()) {
                ErrnoMapping.check(outcome);
            }
            FileStatus made = open.bdt().stat(path).orElseThrow(() -> new FuseException(Errno.ESTALE));
            open.touch(parent);
            Entry entry = counted(parent, name, made);
            if (outcome == Outcome.DONE) {
                open.nodes.get(entry.node()).names = new NameCache(before, true);
            }
            return entry;
        });
    }

    private Outcome makeDirectory(FilePath path, DirectoryAttributes attributes, List<ExtendedChange> steps)
            throws IOException {
        if (steps.isEmpty()) {
            return open.bdt().mkdir(path, attributes, false);
        }
        AttributeChange change = AttributeChange.NONE.with(new RareAttributeChange(steps, 0, Optional.empty()));
        VectorResult result = open.bdt()
                .apply(OperationVector.of(
                        new Operation.MakeDirectory(path, attributes, false),
                        new Operation.SetAttributes(path, change)));
        return result instanceof VectorResult.Refused refused ? refused.reason() : Outcome.DONE;
    }

    public void unlink(Caller caller, Node parent, String name) throws FuseException, IOException {
        shared(() -> {
            FilePath path = open.nodes.path(parent, name);
            checkRemovable(path);
            Optional<Node> node = open.nodes.child(parent, name);
            if (node.isPresent() && open.nodes.hasOthers(node.get())) {
                delete(caller, path);
                left(node.get(), parent, name);
            } else if (node.isPresent()) {
                unlink(caller, node.get(), parent, name, path);
            } else {
                delete(caller, path);
            }
            open.touch(parent);
            return path;
        });
    }

    private void unlink(Caller caller, Node node, Node parent, String name, FilePath path)
            throws FuseException, IOException {
        node.lock.lock();
        try {
            if (node.isDirectory) {
                throw new FuseException(Errno.EISDIR);
            }
            if (!node.isPending()) {
                if (node.opens > 0) {
                    keep(node, path);
                } else if (!isTakenBehind(node, parent, name, path)) {
                    delete(caller, path);
                }
            }
            lost(node);
        } finally {
            node.lock.unlock();
        }
    }

    /** Leaves a published file to the deletions behind. Needs its lock. */
    private boolean isTakenBehind(Node node, Node parent, String name, FilePath path) {
        boolean isPlain = node.draft == null && !open.nodes.numbers.isInherited(node.inode);
        return isPlain && open.nodes.removed.take(node, parent, name, path);
    }

    /** Notes that a node has lost a name, and others lead to it. */
    void left(Node node, Node parent, String name) throws FuseException, IOException {
        node.lock.lock();
        try {
            open.nodes.leave(node, parent, name);
            if (!publisher.learnOwn(node, open.nodes.path(node))) {
                node.loseLink();
            }
            node.changed = Optional.of(open.now());
        } finally {
            node.lock.unlock();
        }
    }

    private void delete(Caller caller, FilePath path) throws FuseException, IOException {
        Outcome outcome = open.bdt().delete(path, false);
        if (outcome != Outcome.NOT_FOUND || !caller.again()) {
            ErrnoMapping.check(outcome);
        }
    }

    /** Returns the operations that move an open file away instead of deleting it. Needs its lock. */
    List<Operation> keeping(Node node, FilePath path, FilePath kept) {
        // The time is the one from which the cleaner of scratch files counts.
        AttributeChange now = node.extras.isLinked()
                ? AttributeChange.NONE.with(new RareAttributeChange(List.of(), 0, Optional.of(open.now())))
                : AttributeChange.ofMtime(open.clock.millis());
        return List.of(
                OpenMount.makeScratch(),
                new Operation.Rename(path, kept, false),
                new Operation.SetAttributes(kept, now));
    }

    private void keep(Node node, FilePath path) throws FuseException, IOException {
        FilePath kept = OpenMount.scratch();
        publisher.apply(node, path, keeping(node, path, kept));
        boolean unused = publisher.learnOwn(node, kept);
        open.kept(node, Optional.of(kept));
    }

    /** Notes that the node has no name any more. Needs its lock. */
    void lost(Node node) throws IOException {
        node.unlinked = true;
        node.changed = Optional.of(open.now());
        if (node.opens == 0 && node.draft != null) {
            node.draft.discard();
            node.draft = null;
        }
        if (node.kept.isPresent() && node.links() > 0) {
            open.nodes.detachFromKnown(node);
        } else {
            open.nodes.detach(node);
        }
    }

    public void removeDirectory(Caller caller, Node parent, String name) throws FuseException, IOException {
        // Take the lock alone, so that no other call creates a file in it meanwhile.
        open.tree.writeLock().lock();
        try {
            FilePath path = open.nodes.path(parent, name);
            checkRemovable(path);
            Optional<Node> node = open.nodes.child(parent, name);
            if (node.isPresent() && !open.nodes.pendingIn(node.get()).isEmpty()) {
                throw new FuseException(Errno.ENOTEMPTY);
            }
            open.nodes.removed.awaitAll();
            try {
                delete(caller, path);
            } catch (IllegalArgumentException e) {
                throw new FuseException(Errno.EBUSY, String.valueOf(e.getMessage()));
            } catch (FuseException e) {
                if (e.errno() == Errno.ENOTEMPTY) {
                    open.longNames.explain(path);
                }
                throw e;
            }
            if (node.isPresent()) {
                node.get().unlinked = true;
                open.nodes.detach(node.get());
            }
            open.touch(parent);
        } finally {
            open.tree.writeLock().unlock();
        }
    }
}
