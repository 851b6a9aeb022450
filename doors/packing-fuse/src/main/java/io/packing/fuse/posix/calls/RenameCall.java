// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.calls;

import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.fuse.Caller;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.Mode;
import io.packing.fuse.RenameKind;
import io.packing.fuse.posix.ErrnoMapping;
import io.packing.fuse.posix.node.Node;
import io.packing.fuse.posix.node.OpenMount;
import io.packing.fuse.posix.publish.Publisher;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The call {@code renameat2(2)}, for any entry at the other name. Each is one vector. */
public final class RenameCall {
    private final OpenMount open;
    private final Publisher publisher;
    private final NameCalls names;

    public RenameCall(OpenMount open, Publisher publisher, NameCalls names) {
        this.open = open;
        this.publisher = publisher;
        this.names = names;
    }

    /** A name in a directory, with its known node. */
    private record Place(Node parent, String name, FilePath path, Optional<Node> node) {}

    public void rename(Caller caller, Node parent, String name, Node newParent, String newName, RenameKind kind)
            throws FuseException, IOException {
        boolean isSimple = kind == RenameKind.REPLACE || kind == RenameKind.NO_REPLACE;
        if (isSimple && renameFile(caller, parent, name, newParent, newName, kind)) {
            return;
        }
        // Hold the tree alone: the paths of all nodes below may change.
        open.tree.writeLock().lock();
        try {
            renameLocked(caller, place(parent, name), place(newParent, newName), kind);
        } finally {
            open.tree.writeLock().unlock();
        }
    }

    /**
     * Renames a file with one name, while other calls go on: only the path of this file changes, and its lock is held.
     *
     * @return false if the tree has to be held alone for it
     */
    private boolean renameFile(Caller caller, Node parent, String name, Node newParent, String newName, RenameKind kind)
            throws FuseException, IOException {
        return names.shared(() -> {
            Place from = place(parent, name);
            Place to = place(newParent, newName);
            if (from.node().isEmpty()) {
                return false;
            }
            // Calls that lock two nodes take the lower number first.
            List<Node> nodes = Stream.concat(from.node().stream(), to.node().stream())
                    .distinct()
                    .sorted(Comparator.comparingLong(node -> node.number))
                    .toList();
            nodes.forEach(node -> node.lock.lock());
            try {
                boolean isAsBefore = from.equals(place(parent, name)) && to.equals(place(newParent, newName));
                if (!isAsBefore || nodes.stream().anyMatch(this::concernsOthers)) {
                    return false;
                }
                renameLocked(caller, from, to, kind);
                return true;
            } finally {
                nodes.forEach(node -> node.lock.unlock());
            }
        });
    }

    /** Returns whether other paths lead to a node, or through it. Needs its lock. */
    private boolean concernsOthers(Node node) {
        return node.isDirectory || node.extras.isLinked() || open.nodes.hasOthers(node);
    }

    private void renameLocked(Caller caller, Place from, Place to, RenameKind kind) throws FuseException, IOException {
        if (from.path().isPast()) {
            throw new FuseException(Errno.EROFS);
        }
        NameCalls.checkCreatable(to.path());
        if (kind == RenameKind.EXCHANGE) {
            NameCalls.checkCreatable(from.path());
        }
        boolean isOneFile = from.node().isPresent() && from.node().equals(to.node());
        if (isOneFile && kind != RenameKind.NO_REPLACE) {
            return;
        }
        if (from.node().filter(node -> !node.isDirectory).isPresent()) {
            open.nodes.removed.await(to.parent(), to.name());
        } else {
            // The paths of removed files below it change.
            open.nodes.removed.awaitAll();
        }
        publishPending(from);
        if (kind == RenameKind.EXCHANGE) {
            publishPending(to);
            exchange(from, to);
        } else {
            move(caller, from, to, kind);
        }
        open.touch(from.parent());
        open.touch(to.parent());
    }

    private Place place(Node parent, String name) throws FuseException {
        return new Place(parent, name, open.nodes.path(parent, name), open.nodes.child(parent, name));
    }

    /** Publishes a local file first. */
    private void publishPending(Place place) throws FuseException, IOException {
        if (place.node().isPresent()) {
            Node node = place.node().get();
            node.lock.lock();
            try {
                if (node.isPending()) {
                    publisher.publish(node);
                }
            } finally {
                node.lock.unlock();
            }
        }
    }

    private void exchange(Place from, Place to) throws FuseException, IOException {
        FilePath aside = OpenMount.scratch();
        ErrnoMapping.check(open.bdt()
                .apply(OperationVector.of(
                        OpenMount.makeScratch(),
                        new Operation.Rename(from.path(), aside, false),
                        new Operation.Rename(to.path(), from.path(), false),
                        new Operation.Rename(aside, to.path(), false))));
        if (from.node().isPresent() && to.node().isPresent()) {
            open.nodes.exchange(from.parent(), from.name(), to.parent(), to.name());
            learnOwn(from.node().get(), to.path());
            learnOwn(to.node().get(), from.path());
        } else {
            from.node().ifPresent(node -> open.nodes.leave(node, from.parent(), from.name()));
            to.node().ifPresent(node -> open.nodes.leave(node, to.parent(), to.name()));
        }
        from.node().ifPresent(this::changed);
        to.node().ifPresent(this::changed);
    }

    private void learnOwn(Node node, FilePath path) throws FuseException, IOException {
        node.lock.lock();
        try {
            boolean unused = publisher.learnOwn(node, path);
        } finally {
            node.lock.unlock();
        }
    }

    private void changed(Node node) {
        node.changed = Optional.of(open.now());
    }

    private void move(Caller caller, Place from, Place to, RenameKind kind) throws FuseException, IOException {
        boolean mustBeFree = kind == RenameKind.NO_REPLACE || kind == RenameKind.WHITEOUT_NO_REPLACE;
        boolean pendingTarget = to.node().isPresent() && to.node().get().isPending();
        if (mustBeFree && pendingTarget) {
            throw new FuseException(Errno.EEXIST);
        }
        if (to.node().isPresent() && !open.nodes.pendingIn(to.node().get()).isEmpty()) {
            throw new FuseException(Errno.ENOTEMPTY);
        }
        Optional<FilePath> kept = Optional.empty();
        List<Operation> operations = new ArrayList<>();
        if (!mustBeFree && to.node().isPresent() && !pendingTarget) {
            Node target = to.node().get();
            if (target.isDirectory) {
                operations.add(new Operation.Delete(to.path(), false));
            } else if (target.opens > 0 && !open.nodes.hasOthers(target)) {
                kept = Optional.of(OpenMount.scratch());
                operations.addAll(names.keeping(target, to.path(), kept.get()));
            }
        }
        List<Operation> moving = new ArrayList<>();
        moving.add(new Operation.Rename(from.path(), to.path(), !mustBeFree));
        if (kind == RenameKind.WHITEOUT || kind == RenameKind.WHITEOUT_NO_REPLACE) {
            FileAttributes has = open.attributes(caller, from.parent(), Mode.CHARACTER_DEVICE);
            moving.add(SpecialFiles.whiteout(from.path(), has));
        }
        operations.addAll(moving);
        VectorResult result = open.bdt().apply(new OperationVector(List.of(), operations));
        if (result instanceof VectorResult.Refused && operations.size() > moving.size()) {
            // The file to replace is gone: another client took it away.
            result = refusedTarget((VectorResult.Refused) result)
                    ? open.bdt().apply(new OperationVector(List.of(), moving))
                    : result;
            kept = Optional.empty();
        }
        if (!(caller.again() && isNotFound(result))) {
            ErrnoMapping.check(result);
        }
        moved(from, to, kept);
    }

    private static boolean refusedTarget(VectorResult.Refused refused) {
        return refused.reason() == Outcome.NOT_FOUND && refused.index() <= 1;
    }

    private static boolean isNotFound(VectorResult result) {
        return result instanceof VectorResult.Refused refused && refused.reason() == Outcome.NOT_FOUND;
    }

    private void moved(Place from, Place to, Optional<FilePath> kept) throws FuseException, IOException {
        if (to.node().filter(open.nodes::hasOthers).isPresent()) {
            names.left(to.node().get(), to.parent(), to.name());
        } else if (to.node().isPresent()) {
            Node target = to.node().get();
            target.lock.lock();
            try {
                open.kept(target, kept);
                names.lost(target);
            } finally {
                target.lock.unlock();
            }
        }
        if (from.node().isPresent()) {
            open.nodes.move(from.node().get(), from.parent(), from.name(), to.parent(), to.name());
            learnOwn(from.node().get(), to.path());
            changed(from.node().get());
        }
    }
}
