package io.packing.posix;

import io.packing.bdt.FileStatus;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.FuseFileSystem;
import io.packing.fuse.Mode;
import io.packing.posix.StateJournal.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** All nodes that the kernel knows, by number and by name. A number is never used twice. Thread-safe. */
final class Nodes {
    /** Lookups that are never all forgotten. */
    private static final long MANY = 1L << 40;

    private record Key(long parent, String name) {}

    /** What is one file under all of its names: nobody can tell them apart, since nothing is written here. */
    record Same(FileVersion version, FileAttributes attributes) {}

    private final FilePath root;
    private final StateJournal journal;
    private final boolean shares;
    /** Of a file that has several names, those that are not the node's own. */
    private final Map<Long, Set<Key>> others = new HashMap<>();

    private final Map<Same, Node> bySame = new HashMap<>();
    private final Map<Long, Node> byNumber = new ConcurrentHashMap<>();
    private final Map<Key, Node> byName = new HashMap<>();
    /** Files that are only here, by directory. */
    private final Map<Long, Map<String, Node>> pending = new HashMap<>();

    final InodeNumbers numbers;

    private long last = FuseFileSystem.ROOT;

    /**
     * The nodes of a mount, of which there is one.
     *
     * @param root the directory of the mount that the kernel sees as its root
     * @param shares whether files that are the same version are one node, so that the kernel has their pages once: clones of a tree that
     *     is only read
     */
    Nodes(FilePath root, FileStatus status, StateJournal journal, boolean shares) {
        this.root = root;
        this.journal = journal;
        this.shares = shares;
        this.numbers = new InodeNumbers(shares);
        Node node = new Node(FuseFileSystem.ROOT, numbers.of(null, status), Mode.DIRECTORY, 0, "", status.attributes());
        node.lookups.set(1);
        node.version = Optional.of(status.version());
        byNumber.put(node.number, node);
    }

    /** The node of a number. */
    Node get(long number) throws FuseException {
        Node node = byNumber.get(number);
        if (node == null) {
            throw new FuseException(Errno.ESTALE, "no node %d".formatted(number));
        }
        return node;
    }

    /** All nodes of now. */
    List<Node> all() {
        return List.copyOf(byNumber.values());
    }

    /** Where a node is; ESTALE when no name leads to it. */
    synchronized FilePath path(Node node) throws FuseException {
        List<String> names = new ArrayList<>();
        for (Node at = node; at.number != FuseFileSystem.ROOT; at = get(at.parent)) {
            if (byName.get(new Key(at.parent, at.name)) != at) {
                throw new FuseException(Errno.ESTALE, "node %d has no name".formatted(at.number));
            }
            names.add(at.name);
        }
        StringBuilder path = new StringBuilder(root.isRoot() ? "" : root.value());
        for (int i = names.size() - 1; i >= 0; i--) {
            path.append('/').append(names.get(i));
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
        return Optional.ofNullable(byName.get(new Key(parent.number, name)));
    }

    /** The node of what the table has at a name: the one that is known, or a new one. */
    synchronized Node of(Node parent, String name, FileStatus status) {
        Key key = new Key(parent.number, name);
        Node known = byName.get(key);
        Optional<Same> same = same(status);
        if (known != null && isOf(known, status) && isSame(known, same)) {
            return known;
        }
        if (known != null) {
            leave(known, key);
        }
        Node twin = same.map(bySame::get).orElse(null);
        if (twin != null) {
            alias(twin, key);
            return twin;
        }
        Node node = add(new Node(
                ++last, numbers.of(parent, status), Node.type(status), parent.number, name, status.attributes()));
        become(node, same);
        return node;
    }

    /** Whether a known file may go on under the name: one of several names leaves when the others would change with it. */
    private boolean isSame(Node known, Optional<Same> same) {
        if (known.same.equals(same)) {
            return true;
        }
        if (known.same.isPresent() && others.containsKey(known.number)) {
            return false;
        }
        become(known, same);
        return true;
    }

    private void become(Node node, Optional<Same> same) {
        node.same.ifPresent(before -> bySame.remove(before, node));
        node.same = same;
        same.ifPresent(each -> bySame.putIfAbsent(each, node));
    }

    private Optional<Same> same(FileStatus status) {
        boolean isShared = shares && !status.isDirectory() && !status.path().isPast();
        return isShared ? Optional.of(new Same(status.version(), status.attributes())) : Optional.empty();
    }

    /** Gives a node another name beside the one that it has. */
    private void alias(Node node, Key key) {
        journal.add(Kind.ALIAS, node.number, key.name(), key.parent());
        others.computeIfAbsent(node.number, unused -> new LinkedHashSet<>()).add(key);
        place(node, key);
    }

    /** A node loses one of its names. */
    private void leave(Node node, Key key) {
        Set<Key> names = others.get(node.number);
        if (names == null) {
            detach(node);
            return;
        }
        if (key.equals(new Key(node.parent, node.name))) {
            Key next = names.iterator().next();
            node.parent = next.parent();
            node.name = next.name();
            names.remove(next);
        } else {
            names.remove(key);
        }
        if (names.isEmpty()) {
            others.remove(node.number);
        }
        journal.add(Kind.LEFT, node.number, key.name(), key.parent());
        removeName(node, key);
    }

    /** Where a node is besides {@link #path(Node)}. */
    synchronized List<FilePath> otherPaths(Node node) throws FuseException {
        List<FilePath> all = new ArrayList<>();
        for (Key key : others.getOrDefault(node.number, Set.of())) {
            all.add(path(get(key.parent())).child(key.name()));
        }
        return all;
    }

    /** Another name of a node of an earlier server. */
    synchronized void restoreAlias(Node node, long parent, String name) {
        alias(node, new Key(parent, name));
    }

    /** A node of an earlier server had lost a name. */
    synchronized void restoreLeft(Node node, long parent, String name) {
        leave(node, new Key(parent, name));
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
        pending.computeIfAbsent(parent.number, unused -> new HashMap<>()).put(name, node);
        return node;
    }

    private Node add(Node node) {
        journal.add(Kind.NODE, node.number, node.name, node.parent, node.inode, node.type);
        byNumber.put(node.number, node);
        place(node);
        return node;
    }

    /** A node of an earlier server. The kernel knows it, and nobody counted how often. */
    synchronized Node restore(long number, long parent, String name, long inode, int type) {
        FileAttributes unknown = new FileAttributes(0, 0, "", "", 0);
        Node node = new Node(number, inode, type, parent, name, unknown);
        node.lookups.set(MANY);
        last = Math.max(last, number);
        byNumber.put(number, node);
        Node before = byName.get(new Key(parent, name));
        if (before != null) {
            displace(before);
        }
        place(node);
        return node;
    }

    /** The file is only here. */
    synchronized void restorePending(Node node) {
        pending.computeIfAbsent(node.parent, unused -> new HashMap<>()).put(node.name, node);
    }

    /** The file is in the table. */
    synchronized void restorePublished(Node node) {
        removePending(node);
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
            for (Key key : others.getOrDefault(node.number, Set.of())) {
                to.add(Kind.ALIAS, node.number, key.name(), key.parent());
            }
            if (byName.get(new Key(node.parent, node.name)) != node) {
                to.add(Kind.DETACHED, node.number, "");
            }
            node.describe(to);
        }
    }

    private void place(Node node) {
        place(node, new Key(node.parent, node.name));
    }

    private void place(Node node, Key key) {
        byName.put(key, node);
        Node parent = byNumber.get(key.parent());
        if (parent != null) {
            parent.children++;
            KnownNames names = parent.names;
            if (names != null) {
                names.add(key.name());
            }
        }
    }

    /** Takes a node from its names, as far as it has them. */
    private void displace(Node node) {
        removeName(node, new Key(node.parent, node.name));
        Set<Key> names = others.remove(node.number);
        if (names != null) {
            names.forEach(key -> removeName(node, key));
        }
        node.same.ifPresent(same -> bySame.remove(same, node));
    }

    private void removeName(Node node, Key key) {
        if (byName.remove(key, node)) {
            Node parent = byNumber.get(key.parent());
            if (parent != null) {
                parent.children--;
                dropUnknown(parent);
            }
        }
    }

    /** The file is in the table now, under this id. */
    synchronized void published(Node node, long id) {
        removePending(node);
        numbers.show(journal, id, node.inode);
    }

    private void removePending(Node node) {
        Map<String, Node> siblings = pending.get(node.parent);
        if (siblings != null && siblings.remove(node.name, node) && siblings.isEmpty()) {
            pending.remove(node.parent);
        }
    }

    /** Files of a directory that are only here. */
    synchronized List<Node> pendingIn(Node directory) {
        return List.copyOf(pending.getOrDefault(directory.number, Map.of()).values());
    }

    /** No name leads to the node any more. */
    synchronized void detach(Node node) {
        journal.add(Kind.DETACHED, node.number, "");
        removePending(node);
        displace(node);
        dropUnknown(node);
    }

    /** Gives a node, which the table has, another name; what had it must be detached. */
    synchronized void move(Node node, Node parent, String name) {
        journal.add(Kind.MOVED, node.number, name, parent.number);
        displace(node);
        node.parent = parent.number;
        node.name = name;
        place(node);
    }

    /** Two nodes change names. */
    synchronized void exchange(Node one, Node other) {
        journal.add(Kind.MOVED, one.number, other.name, other.parent);
        journal.add(Kind.MOVED, other.number, one.name, one.parent);
        long parent = one.parent;
        String name = one.name;
        one.parent = other.parent;
        one.name = other.name;
        other.parent = parent;
        other.name = name;
        byName.put(new Key(one.parent, one.name), one);
        byName.put(new Key(other.parent, other.name), other);
    }

    /** The kernel knows the node no more, as often as it says. */
    synchronized void forget(Node node, long count) {
        if (node.lookups.addAndGet(-count) <= 0) {
            dropUnknown(node);
        }
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
