package io.packing.posix;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import io.packing.bdt.FileStatus;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.FuseFileSystem;
import io.packing.fuse.Mode;
import io.packing.posix.StateJournal.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** All nodes that the kernel knows, by number and by name. A number is never used twice. Thread-safe. */
final class Nodes {
    /** Marks inode numbers that are not ids of the table. */
    private static final long LOCAL = 1L << 62;
    /** Marks inode numbers in snapshots. */
    private static final long PAST = 1L << 61;
    /** Lookups that are never all forgotten. */
    private static final long MANY = 1L << 40;

    private record Key(long parent, String name) {}

    private final FilePath root;
    private final StateJournal journal;
    private final Map<Long, Node> byNumber = new ConcurrentHashMap<>();
    private final Map<Key, Node> byName = new HashMap<>();
    /** Files that are only here, by directory. */
    private final Map<Long, Map<String, Node>> pending = new HashMap<>();
    /** Inode numbers of files that programs saw before the table gave them an id, or gave them another one. */
    private final Map<Long, Long> shown = new ConcurrentHashMap<>();

    private long last = FuseFileSystem.ROOT;

    /** @param root the directory of the mount that the kernel sees as its root */
    Nodes(FilePath root, FileStatus status, StateJournal journal) {
        this.root = root;
        this.journal = journal;
        Node node = new Node(FuseFileSystem.ROOT, status.version().id(), Mode.DIRECTORY, 0, "", status.attributes());
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
        long inode = inode(status);
        if (known != null && known.inode == inode && known.type == Node.type(status)) {
            return known;
        }
        if (known != null) {
            detach(known);
        }
        return add(new Node(++last, inode, Node.type(status), parent.number, name, status.attributes()));
    }

    /** What programs see as the inode number of a file of the table. */
    long inode(FileStatus status) {
        long id = status.version().id();
        return status.path().isPast() ? pastInode(status.path(), id) : shown.getOrDefault(id, id);
    }

    /**
     * Of an entry of a snapshot, another one than that of the entry now, and in each snapshot another one: programs take equal numbers
     * for one file, so that {@code cp} would not put an old file in the place of the new one, nor {@code ls -R} walk into a snapshot.
     */
    private static long pastInode(FilePath path, long id) {
        String text = path.value();
        int name = path.snapshotsAt() + FilePath.SNAPSHOTS.length() + 2;
        int end = text.indexOf('/', name);
        String snapshot = end < 0 ? text : text.substring(0, end);
        long start = Hashing.murmur3_128().hashString(snapshot, UTF_8).asLong();
        return PAST | ((start + id) & (PAST - 1));
    }

    /** A node for a file that is not in the table. */
    synchronized Node create(Node parent, String name, FileAttributes attributes) {
        long number = ++last;
        Node node = add(new Node(number, LOCAL | number, Mode.REGULAR, parent.number, name, attributes));
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

    synchronized void restoreShown(long id, long inode) {
        shown.put(id, inode);
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
        shown.forEach((id, inode) -> to.add(Kind.SHOWN, id, "", inode));
        for (Node node : byNumber.values()) {
            if (node.number == FuseFileSystem.ROOT) {
                continue;
            }
            to.add(Kind.NODE, node.number, node.name, node.parent, node.inode, node.type);
            if (byName.get(new Key(node.parent, node.name)) != node) {
                to.add(Kind.DETACHED, node.number, "");
            }
            node.describe(to);
        }
    }

    private void place(Node node) {
        byName.put(new Key(node.parent, node.name), node);
        Node parent = byNumber.get(node.parent);
        if (parent != null) {
            parent.children++;
            KnownNames names = parent.names;
            if (names != null) {
                names.add(node.name);
            }
        }
    }

    /** Takes a node from its name, if it has it. */
    private void displace(Node node) {
        if (byName.remove(new Key(node.parent, node.name), node)) {
            Node parent = byNumber.get(node.parent);
            if (parent != null) {
                parent.children--;
                dropUnknown(parent);
            }
        }
    }

    /** The file is in the table now, under this id. */
    synchronized void published(Node node, long id) {
        removePending(node);
        if (id != node.inode) {
            journal.add(Kind.SHOWN, id, "", node.inode);
            shown.put(id, node.inode);
        }
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
