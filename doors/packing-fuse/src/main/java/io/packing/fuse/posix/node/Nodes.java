// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import io.packing.bdt.FileStatus;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.FuseFileSystem;
import io.packing.fuse.Mode;
import io.packing.fuse.posix.draft.StateJournal;
import io.packing.fuse.posix.draft.StateJournal.Kind;
import io.packing.fuse.posix.node.NodeNames.NodeKey;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** All nodes that the kernel knows, by number and by name. A number is never used twice. Thread-safe. */
public final class Nodes {
    /** More lookups than the kernel ever forgets. */
    private static final long MANY = 1L << 40;

    private final FilePath root;
    private final StateJournal journal;
    private final Map<Long, Node> byNumber = new ConcurrentHashMap<>();
    private final NodeNames names = new NodeNames();
    public final PendingFiles pending = new PendingFiles();
    public final RemovedFiles removed;
    private final SharedNodes twins;
    public final InodeNumbers numbers;
    private long last = FuseFileSystem.ROOT;

    /**
     * @param root the directory of the mount that the kernel sees as its root
     * @param shares true if files of one version are one node with one copy of their pages: in read-only clones
     */
    Nodes(FilePath root, FileStatus status, StateJournal journal, boolean shares, LongSupplier nanoTime) {
        this.root = root;
        this.removed = new RemovedFiles(journal, nanoTime);
        this.journal = journal;
        this.numbers = new InodeNumbers(shares);
        this.twins = new SharedNodes(shares, numbers);
        Node node = new Node(FuseFileSystem.ROOT, numbers.of(null, status), Mode.DIRECTORY, 0, "", status.attributes());
        node.lookups.set(1);
        node.version = Optional.of(status.version());
        byNumber.put(node.number, node);
    }

    /** Returns the node of a number. */
    public Node get(long number) throws FuseException {
        return find(number).orElseThrow(() -> new FuseException(Errno.ESTALE, "no node %d".formatted(number)));
    }

    /** Returns all present nodes. */
    public List<Node> all() {
        return List.copyOf(byNumber.values());
    }

    /** Returns the path of a node; ESTALE when no name leads to it. */
    public synchronized FilePath path(Node node) throws FuseException {
        return names.path(root, node, byNumber);
    }

    /** Returns the path of an entry, which need not exist. */
    public FilePath path(Node parent, String name) throws FuseException {
        FilePath path = path(parent).child(name);
        if (path.whyNotForUsers().isPresent()) {
            throw new FuseException(Errno.EPERM, path + " is the system's own");
        }
        return path;
    }

    public synchronized Optional<Node> child(Node parent, String name) {
        return names.get(new NodeKey(parent.number, name));
    }

    /** Counts a lookup of a present node. If the kernel forgot the node at this moment, it asks again. */
    public synchronized void lookedUp(Node node) throws FuseException {
        get(node.number).lookups.incrementAndGet();
    }

    /** Counts a lookup of an entry; empty if the directory had another number of moves when the table was asked. */
    public synchronized Optional<Node> lookedUp(Node parent, String name, FileStatus status, long moves) {
        return parent.moves() == moves ? Optional.of(lookedUp(parent, name, status)) : Optional.empty();
    }

    /** Counts a lookup of an entry in the table; returns the known node, or a new one. */
    public synchronized Node lookedUp(Node parent, String name, FileStatus status) {
        Node node = of(parent, name, status);
        node.lookups.incrementAndGet();
        return node;
    }

    private Node of(Node parent, String name, FileStatus status) {
        NodeKey key = new NodeKey(parent.number, name);
        Node known = names.get(key).orElse(null);
        Optional<SharedNodes.FileIdentity> same = twins.of(parent, status);
        if (known != null && isOf(known, status) && isSame(known, same)) {
            return known;
        }
        if (known != null) {
            leave(known, key);
        }
        Node twin = twins.find(same);
        if (twin != null) {
            alias(twin, key);
            return twin;
        }
        Node node = add(new Node(
                ++last, numbers.of(parent, status), Node.type(status), parent.number, name, status.attributes()));
        twins.become(node, same);
        return node;
    }

    /** Returns whether a known file may keep the name: a name leaves if the others would change with it. */
    private boolean isSame(Node known, Optional<SharedNodes.FileIdentity> same) {
        // A hard link stays the file with any number of names.
        if (known.same.equals(same)
                || known.same.filter(SharedNodes.Linked.class::isInstance).isPresent()) {
            return true;
        }
        if (known.same.isPresent() && names.hasOthers(known)) {
            return false;
        }
        twins.become(known, same);
        return true;
    }

    /** Gives a node another name beside its own. */
    private void alias(Node node, NodeKey key) {
        journal.add(Kind.ALIAS, node.number, key.name(), key.parent());
        names.add(node, key);
        place(node, key);
    }

    /** Returns whether a name leads to a node. */
    public synchronized boolean isNamed(Node node) {
        return names.isNamed(node);
    }

    /** Gives a file in the table another name. */
    public synchronized void link(Node node, Node parent, String name) {
        NodeKey key = new NodeKey(parent.number, name);
        names.get(key).ifPresent(before -> leave(before, key));
        twins.link(node);
        alias(node, key);
    }

    /** Returns whether several names of a node are known. */
    public synchronized boolean hasOthers(Node node) {
        return names.hasOthers(node);
    }

    /** Removes a name from a node; one with others goes on without it. */
    public synchronized void leave(Node node, Node parent, String name) {
        leave(node, new NodeKey(parent.number, name));
    }

    /** Removes one of a node's names. */
    private void leave(Node node, NodeKey key) {
        if (!names.hasOthers(node)) {
            detach(node);
            return;
        }
        names.leave(node, key);
        journal.add(Kind.LEFT, node.number, key.name(), key.parent());
        removeName(node, key);
    }

    /** Returns the paths of a node besides {@link #path(Node)}. */
    public synchronized List<FilePath> otherPaths(Node node) throws FuseException {
        return names.otherPaths(root, node, byNumber);
    }

    /** Restores another name of a node of an earlier server. */
    synchronized void restoreAlias(Node node, long parent, String name) {
        alias(node, new NodeKey(parent, name));
    }

    /** Repeats the loss of a name in an earlier server. */
    synchronized void restoreLeft(Node node, long parent, String name) {
        leave(node, new NodeKey(parent, name));
    }

    /**
     * Returns whether the table's entry at the name of a node is the node's file. A file that a clone had from its
     * original gets another id with a change, and stays one file.
     */
    public synchronized boolean isOf(Node node, FileStatus status) {
        if (Node.type(status) != node.type) {
            return false;
        }
        if (!numbers.isInherited(node.inode)) {
            return numbers.of(byNumber.get(node.parent), status) == node.inode;
        }
        if (!status.isInherited()) {
            numbers.show(journal, status.version().id(), node.inode);
        }
        return true;
    }

    /** Creates a node for a file that is not in the table. */
    public synchronized Node create(Node parent, String name, FileAttributes attributes) {
        long number = ++last;
        Node node = add(new Node(number, InodeNumbers.LOCAL | number, Mode.REGULAR, parent.number, name, attributes));
        pending.add(node);
        return node;
    }

    private Node add(Node node) {
        journal.add(Kind.NODE, node.number, node.name, node.parent, node.inode, node.type);
        byNumber.put(node.number, node);
        place(node, NodeKey.of(node));
        return node;
    }

    /** Restores a node of an earlier server. The kernel knows it by an unknown number of lookups. */
    synchronized Node restore(long number, long parent, String name, long inode, int type) {
        FileAttributes unknown = new FileAttributes(0, 0, "", "", 0);
        Node node = new Node(number, inode, type, parent, name, unknown);
        node.lookups.set(MANY);
        last = Math.max(last, number);
        byNumber.put(number, node);
        names.get(new NodeKey(parent, name)).ifPresent(this::displace);
        place(node, NodeKey.of(node));
        twins.link(node);
        return node;
    }

    /** Notes that only this server has the file. */
    synchronized void restorePending(Node node) {
        pending.add(node);
    }

    /** Notes that the table has the file. */
    synchronized void restorePublished(Node node) {
        pending.remove(node);
    }

    /** Writes the journal again, without obsolete records. Needs the lock of the tree, held alone. */
    synchronized void compactJournal() throws IOException {
        synchronized (removed) {
            StateJournal successor = journal.successor();
            describe(successor);
            journal.become(successor);
        }
    }

    /** Returns the node of a number, if it exists. */
    Optional<Node> find(long number) {
        return Optional.ofNullable(byNumber.get(number));
    }

    /** Drops a node of an earlier server that the kernel has forgotten. */
    synchronized void restoreForgotten(Node node) {
        byNumber.remove(node.number, node);
        displace(node);
    }

    /** Records all nodes. Needs the lock of the tree, held alone. */
    synchronized void describe(StateJournal to) {
        numbers.describe(to);
        removed.describe(to);
        for (Node node : byNumber.values()) {
            if (node.number == FuseFileSystem.ROOT) {
                continue;
            }
            to.add(Kind.NODE, node.number, node.name, node.parent, node.inode, node.type);
            for (NodeKey key : names.others(node)) {
                to.add(Kind.ALIAS, node.number, key.name(), key.parent());
            }
            if (!names.isNamed(node)) {
                to.add(Kind.DETACHED, node.number, "");
            }
            node.describe(to);
        }
    }

    private void place(Node node, NodeKey key) {
        boolean isNew = names.get(key).isEmpty();
        names.put(key, node);
        Node parent = byNumber.get(key.parent());
        if (parent != null) {
            parent.children += isNew ? 1 : 0;
            NameCache known = parent.names;
            if (known != null) {
                known.add(key.name());
            }
        }
    }

    /** Takes a node from the names that it has. */
    private void displace(Node node) {
        names.all(node).forEach(key -> removeName(node, key));
        names.forgetOthers(node);
        twins.remove(node);
    }

    private void removeName(Node node, NodeKey key) {
        if (names.remove(key, node)) {
            Node parent = byNumber.get(key.parent());
            if (parent != null) {
                parent.children--;
                dropUnknown(parent);
            }
        }
    }

    /** Notes that the table has the file now, under this id. */
    public synchronized void published(Node node, long id) {
        pending.remove(node);
        numbers.show(journal, id, node.inode);
    }

    /** Returns the files of a directory that only this server has. */
    public synchronized List<Node> pendingIn(Node directory) {
        return pending.in(directory);
    }

    /** Notes that no name leads to the node any more. */
    public synchronized void detach(Node node) {
        journal.add(Kind.DETACHED, node.number, "");
        pending.remove(node);
        displace(node);
        dropUnknown(node);
    }

    /** Detaches a file with other names that are not known here: with one of them it comes back. */
    public synchronized void detachFromKnown(Node node) {
        detach(node);
        if (byNumber.get(node.number) == node) {
            twins.link(node);
        }
    }

    /** Gives a node in the table another name instead of one; the caller has detached the replaced node. */
    public synchronized void move(Node node, Node from, String name, Node to, String newName) {
        from.moves.incrementAndGet();
        to.moves.incrementAndGet();
        rename(node, new NodeKey(from.number, name), new NodeKey(to.number, newName));
    }

    /** Repeats the rename of an earlier server. */
    synchronized void restoreRenamed(Node node, long from, String name, long to, String newName) {
        rename(node, new NodeKey(from, name), new NodeKey(to, newName));
    }

    /** Gives a node of an earlier server another name instead of its only one. */
    synchronized void restoreMoved(Node node, Node parent, String name) {
        rename(node, NodeKey.of(node), new NodeKey(parent.number, name));
    }

    private void rename(Node node, NodeKey from, NodeKey to) {
        rekey(node, from, to);
        removeName(node, from);
        place(node, to);
    }

    private void rekey(Node node, NodeKey from, NodeKey to) {
        journal.add(Kind.RENAMED, node.number, from.name() + '\0' + to.name(), from.parent(), to.parent());
        names.change(node, from, to);
    }

    /** Exchanges the nodes of two names. */
    public synchronized void exchange(Node parent, String name, Node otherParent, String otherName) {
        NodeKey key = new NodeKey(parent.number, name);
        NodeKey otherKey = new NodeKey(otherParent.number, otherName);
        Node one = names.get(key).orElse(null);
        Node other = names.get(otherKey).orElse(null);
        if (one == null || other == null || one == other) {
            return;
        }
        rekey(one, key, otherKey);
        rekey(other, otherKey, key);
        names.put(otherKey, one);
        names.put(key, other);
    }

    /** Counts off so many lookups that the kernel has forgotten. */
    public synchronized void forget(Node node, long count) {
        node.lookups.addAndGet(-count);
        dropUnknown(node);
    }

    /** Drops a node without a use. The kernel forgets no open node. */
    synchronized void dropUnknown(Node node) {
        boolean needed =
                node.number == FuseFileSystem.ROOT || node.lookups.get() > 0 || node.draft != null || node.children > 0;
        if (!needed && byNumber.remove(node.number, node)) {
            journal.add(Kind.FORGOTTEN, node.number, "");
            displace(node);
        }
    }
}
