package io.packing.posix;

import io.packing.bdt.FileStatus;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.FuseFileSystem;
import io.packing.fuse.Mode;
import io.packing.posix.NodeNames.NodeKey;
import io.packing.posix.StateJournal.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** All nodes that the kernel knows, by number and by name. A number is never used twice. Thread-safe. */
final class Nodes {
    /** Lookups that are never all forgotten. */
    private static final long MANY = 1L << 40;

    private final FilePath root;
    private final StateJournal journal;
    private final Map<Long, Node> byNumber = new ConcurrentHashMap<>();
    private final NodeNames names = new NodeNames();
    final PendingFiles pending = new PendingFiles();
    private final Twins twins;
    final InodeNumbers numbers;
    private long last = FuseFileSystem.ROOT;

    /**
     * The nodes of a mount, of which there is one.
     *
     * @param root the directory of the mount that the kernel sees as its root
     * @param shares whether files of one version are one node, whose pages the kernel has once: in clones that are only read
     */
    Nodes(FilePath root, FileStatus status, StateJournal journal, boolean shares) {
        this.root = root;
        this.journal = journal;
        this.numbers = new InodeNumbers(shares);
        this.twins = new Twins(shares, numbers);
        Node node = new Node(FuseFileSystem.ROOT, numbers.of(null, status), Mode.DIRECTORY, 0, "", status.attributes());
        node.lookups.set(1);
        node.version = Optional.of(status.version());
        byNumber.put(node.number, node);
    }

    /** The node of a number. */
    Node get(long number) throws FuseException {
        return find(number).orElseThrow(() -> new FuseException(Errno.ESTALE, "no node %d".formatted(number)));
    }

    /** All nodes of now. */
    List<Node> all() {
        return List.copyOf(byNumber.values());
    }

    /** Where a node is; ESTALE when no name leads to it. */
    synchronized FilePath path(Node node) throws FuseException {
        List<String> way = new ArrayList<>();
        for (Node at = node; at.number != FuseFileSystem.ROOT; at = get(at.parent)) {
            if (!names.isNamed(at)) {
                throw new FuseException(Errno.ESTALE, "node %d has no name".formatted(at.number));
            }
            way.add(at.name);
        }
        StringBuilder path = new StringBuilder(root.isRoot() ? "" : root.value());
        for (int i = way.size() - 1; i >= 0; i--) {
            path.append('/').append(way.get(i));
        }
        return path.isEmpty() ? FilePath.ROOT : new FilePath(path.toString());
    }

    /** The path of an entry, which need not be there. */
    FilePath path(Node parent, String name) throws FuseException {
        FilePath path = path(parent).child(name);
        if (path.whyNotForUsers().isPresent()) {
            throw new FuseException(Errno.EPERM, path + " is the system's own");
        }
        return path;
    }

    synchronized Optional<Node> child(Node parent, String name) {
        return names.get(new NodeKey(parent.number, name));
    }

    /** The kernel looked up a node that is here. If it forgot the node at this moment, it asks again. */
    synchronized void lookedUp(Node node) throws FuseException {
        get(node.number).lookups.incrementAndGet();
    }

    /** The kernel looked up what the table has at a name: the node that is known, or a new one. */
    synchronized Node lookedUp(Node parent, String name, FileStatus status) {
        Node node = of(parent, name, status);
        node.lookups.incrementAndGet();
        return node;
    }

    private Node of(Node parent, String name, FileStatus status) {
        NodeKey key = new NodeKey(parent.number, name);
        Node known = names.get(key).orElse(null);
        Optional<Twins.Same> same = twins.of(parent, status);
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

    /** Whether a known file may go on under the name: one of several names leaves when the others would change with it. */
    private boolean isSame(Node known, Optional<Twins.Same> same) {
        // A hard link is the file however many names are left.
        if (known.same.equals(same)
                || known.same.filter(Twins.Linked.class::isInstance).isPresent()) {
            return true;
        }
        if (known.same.isPresent() && names.hasOthers(known)) {
            return false;
        }
        twins.become(known, same);
        return true;
    }

    /** Gives a node another name beside the one that it has. */
    private void alias(Node node, NodeKey key) {
        journal.add(Kind.ALIAS, node.number, key.name(), key.parent());
        names.add(node, key);
        place(node, key);
    }

    /** Whether a name leads to a node. */
    synchronized boolean isNamed(Node node) {
        return names.isNamed(node);
    }

    /** A file, which the table has, gets another name. */
    synchronized void link(Node node, Node parent, String name) {
        NodeKey key = new NodeKey(parent.number, name);
        names.get(key).ifPresent(before -> leave(before, key));
        twins.link(node);
        alias(node, key);
    }

    /** Whether several names of a node are known. */
    synchronized boolean hasOthers(Node node) {
        return names.hasOthers(node);
    }

    /** A name of a node is gone; a node with others goes on without it. */
    synchronized void leave(Node node, Node parent, String name) {
        leave(node, new NodeKey(parent.number, name));
    }

    /** A node loses one of its names. */
    private void leave(Node node, NodeKey key) {
        if (!names.hasOthers(node)) {
            detach(node);
            return;
        }
        names.leave(node, key);
        journal.add(Kind.LEFT, node.number, key.name(), key.parent());
        removeName(node, key);
    }

    /** Where a node is besides {@link #path(Node)}. */
    synchronized List<FilePath> otherPaths(Node node) throws FuseException {
        List<FilePath> all = new ArrayList<>();
        for (NodeKey key : names.others(node)) {
            all.add(path(get(key.parent())).child(key.name()));
        }
        return all;
    }

    /** Another name of a node of an earlier server. */
    synchronized void restoreAlias(Node node, long parent, String name) {
        alias(node, new NodeKey(parent, name));
    }

    /** A node of an earlier server had lost a name. */
    synchronized void restoreLeft(Node node, long parent, String name) {
        leave(node, new NodeKey(parent, name));
    }

    /**
     * Whether what the table has at the name of a node is the node's file. What a clone had from its original gets another id when it is
     * changed, and stays the file that it is.
     */
    synchronized boolean isOf(Node node, FileStatus status) {
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

    /** A node for a file that is not in the table. */
    synchronized Node create(Node parent, String name, FileAttributes attributes) {
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

    /** A node of an earlier server. The kernel knows it, and nobody counted how often. */
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

    /** The file is only here. */
    synchronized void restorePending(Node node) {
        pending.add(node);
    }

    /** The file is in the table. */
    synchronized void restorePublished(Node node) {
        pending.remove(node);
    }

    /** Writes the journal again, without what is over. Under the lock of the tree, held alone. */
    synchronized void compactJournal() throws IOException {
        StateJournal successor = journal.successor();
        describe(successor);
        journal.become(successor);
    }

    /** The node of a number, if there is one. */
    Optional<Node> find(long number) {
        return Optional.ofNullable(byNumber.get(number));
    }

    /** Drops a node of an earlier server that the kernel has forgotten. */
    synchronized void restoreForgotten(Node node) {
        byNumber.remove(node.number, node);
        displace(node);
    }

    /** Records all nodes. Under the lock of the tree, held alone. */
    synchronized void describe(StateJournal to) {
        numbers.describe(to);
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
            KnownNames known = parent.names;
            if (known != null) {
                known.add(key.name());
            }
        }
    }

    /** Takes a node from its names, as far as it has them. */
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

    /** The file is in the table now, under this id. */
    synchronized void published(Node node, long id) {
        pending.remove(node);
        numbers.show(journal, id, node.inode);
    }

    /** Files of a directory that are only here. */
    synchronized List<Node> pendingIn(Node directory) {
        return pending.in(directory);
    }

    /** No name leads to the node any more. */
    synchronized void detach(Node node) {
        journal.add(Kind.DETACHED, node.number, "");
        pending.remove(node);
        displace(node);
        dropUnknown(node);
    }

    /** As {@link #detach} of a file that others reach by names that are not known here: with one of them it comes back. */
    synchronized void detachFromKnown(Node node) {
        detach(node);
        if (byNumber.get(node.number) == node) {
            twins.link(node);
        }
    }

    /** Gives a node, which the table has, another name instead of one; what had it must be detached. */
    synchronized void move(Node node, Node from, String name, Node to, String newName) {
        rename(node, new NodeKey(from.number, name), new NodeKey(to.number, newName));
    }

    /** As an earlier server did it. */
    synchronized void restoreRenamed(Node node, long from, String name, long to, String newName) {
        rename(node, new NodeKey(from, name), new NodeKey(to, newName));
    }

    /** Gives a node of an earlier server another name instead of the only one that it has. */
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

    /** Two names change what they lead to. */
    synchronized void exchange(Node parent, String name, Node otherParent, String otherName) {
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

    /** The kernel knows the node no more, as often as it says. */
    synchronized void forget(Node node, long count) {
        node.lookups.addAndGet(-count);
        dropUnknown(node);
    }

    /** Drops a node that nobody needs. The kernel forgets nothing that is open. */
    synchronized void dropUnknown(Node node) {
        boolean needed =
                node.number == FuseFileSystem.ROOT || node.lookups.get() > 0 || node.draft != null || node.children > 0;
        if (!needed && byNumber.remove(node.number, node)) {
            journal.add(Kind.FORGOTTEN, node.number, "");
            displace(node);
        }
    }
}
