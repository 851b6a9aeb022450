// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.recover;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Reclaim;
import io.packing.bdt.master.table.row.ExtraAttributes;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Recovered;
import io.packing.bdt.master.table.row.Snapshot;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The namespace that lost files would have, had the table known of them: renames move them and deletes remove them, with
 * the directories that they are in. Confined to one thread; walks deep trees without recursion.
 */
final class LostTree {
    /**
     * A snapshot that was taken while a file was below its directory.
     *
     * @param names the way from its directory to the file
     * @param attributes of the file at that time
     */
    record Seen(Snapshot snapshot, List<String> names, FileAttributes attributes, ExtraAttributes extras) {}

    /** A file on its way through the history. */
    static final class Lost {
        private final Reclaim file;
        private final Recovered recovery;
        private long generation;
        private @Nullable Node node;
        private boolean over;
        private long keptAt;
        private long claimedAfter;
        private final List<Seen> seen = new ArrayList<>(0);
        private FileAttributes attributes;
        private ExtraAttributes extras = ExtraAttributes.NONE;

        Lost(Reclaim file, Recovered recovery) {
            this.file = file;
            this.recovery = recovery;
            this.generation = file.version().generation();
            this.attributes = file.attributes();
        }

        Reclaim file() {
            return file;
        }

        Recovered recovery() {
            return recovery;
        }

        long id() {
            return file.version().id();
        }

        /** Returns the position of its claim, if known: later entries moved or ended it by its path. */
        long generation() {
            return generation;
        }

        /** Its claim came at this position or before, and nothing that is not applied to it came since. */
        void date(long position) {
            generation = position;
        }

        /**
         * Returns whether it is over, and the position of its claim is known. Then its path was followed exactly. A return after that was taken for
         * one while the journal with the end was unread.
         */
        boolean isOverByPath() {
            long claimed = file.version().generation();
            return over && claimed > 0 && claimed < recovery.at();
        }

        /** Notes the position of its return to a path that the journal names. */
        void keep(long position) {
            keptAt = position;
        }

        /** Returns the position of its return to such a path; 0: no return is known. */
        long keptAt() {
            return keptAt;
        }

        /** Notes the position of the claim of an earlier file that its worker had at its path. */
        void isClaimedAfter(long position) {
            claimedAfter = position;
        }

        /** Returns a position that is before its claim, if its own is not known; 0: none is known. */
        long claimedAfter() {
            return claimedAfter;
        }

        /** Returns its attributes after all changes that were led to it. */
        FileAttributes attributes() {
            return attributes;
        }

        ExtraAttributes extras() {
            return extras;
        }

        private void change(AttributeChange change) {
            attributes = Inode.changed(attributes, change);
            extras = extras.with(change.extra(), change.mtimeMillis());
        }

        /** The snapshots that saw it, oldest first. */
        List<Seen> seen() {
            return Collections.unmodifiableList(seen);
        }

        /** Returns whether the tree has it, or had it. */
        boolean isPlaced() {
            return over || node != null;
        }

        void end() {
            over = true;
            if (node != null) {
                node.files.remove(this);
            }
        }

        /** Returns the path where it is now; empty when it is over. */
        Optional<FilePath> path() {
            return over || node == null ? Optional.empty() : Optional.of(node.path());
        }
    }

    private static final class Node {
        private @Nullable Node parent;
        private String name = "";
        private final Map<String, Node> children = new HashMap<>(4);
        private final List<Lost> files = new ArrayList<>(1);

        Node child(String childName) {
            return children.computeIfAbsent(childName, missing -> {
                Node made = new Node();
                made.parent = this;
                made.name = missing;
                return made;
            });
        }

        void detach() {
            if (parent != null) {
                parent.children.remove(name);
                parent = null;
            }
        }

        void take(Lost lost) {
            lost.node = this;
            files.add(lost);
        }

        FilePath path() {
            return new FilePath("/" + String.join("/", namesBelow(null)));
        }

        /** @param top a node above; null: the root */
        List<String> namesBelow(@Nullable Node top) {
            Deque<String> names = new ArrayDeque<>();
            for (Node up = this; up != top && up != null && up.parent != null; up = up.parent) {
                names.push(up.name);
            }
            return List.copyOf(names);
        }

        /** This node and all below it. */
        List<Node> all() {
            List<Node> found = new ArrayList<>(List.of(this));
            for (int i = 0; i < found.size(); i++) {
                found.addAll(found.get(i).children.values());
            }
            return found;
        }
    }

    private final Node root = new Node();

    void place(Lost lost, FilePath path) {
        node(path).take(lost);
    }

    /** A file is known to be somewhere from now on, also when what happened at its path before seemed to have ended it. */
    void move(Lost lost, FilePath to) {
        if (lost.node != null) {
            lost.node.files.remove(lost);
        }
        lost.over = false;
        place(lost, to);
    }

    /** A path was deleted with all below it. */
    void delete(FilePath path) {
        Node node = find(path);
        if (node != null && node != root) {
            node.detach();
            node.all().forEach(each -> List.copyOf(each.files).forEach(Lost::end));
        }
    }

    /** Attributes of what is at a path were changed. */
    void change(FilePath path, AttributeChange change) {
        Node node = find(path);
        if (node != null) {
            node.files.forEach(lost -> lost.change(change));
        }
    }

    /** A snapshot was taken of a directory: it sees the files below. */
    void snapshot(FilePath directory, Snapshot snapshot) {
        Node top = find(directory);
        for (Node node : top == null ? List.<Node>of() : top.all()) {
            if (!node.files.isEmpty()) {
                List<String> names = node.namesBelow(top);
                node.files.forEach(lost -> lost.seen.add(new Seen(snapshot, names, lost.attributes, lost.extras)));
            }
        }
    }

    /**
     * Applies a rename. Its target was free in the table: so files lost later had ended by then, and files lost before are kept
     * beside it.
     *
     * @param position of the rename
     */
    void rename(FilePath from, FilePath to, long position) {
        Node there = find(to);
        if (there != null) {
            for (Node each : there.all()) {
                List<Lost> files = List.copyOf(each.files);
                files.stream().filter(lost -> position <= lost.recovery.at()).forEach(Lost::end);
            }
            for (Lost lost : List.copyOf(there.files)) {
                there.files.remove(lost);
                place(lost, RecoveredNames.file(to, lost.id()));
            }
        }
        Node moved = find(from);
        if (moved != null && moved != root) {
            moved.detach();
            merge(moved, node(to));
        }
    }

    private static void merge(Node from, Node to) {
        record Pair(Node from, Node to) {}
        Deque<Pair> left = new ArrayDeque<>(List.of(new Pair(from, to)));
        while (!left.isEmpty()) {
            Pair pair = left.pop();
            pair.from.files.forEach(pair.to::take);
            pair.from.children.forEach((name, child) -> {
                Node there = pair.to.children.get(name);
                if (there != null) {
                    left.push(new Pair(child, there));
                } else {
                    child.parent = pair.to;
                    pair.to.children.put(name, child);
                }
            });
        }
    }

    private Node node(FilePath path) {
        Node node = root;
        for (String name : names(path)) {
            node = node.child(name);
        }
        return node;
    }

    private @Nullable Node find(FilePath path) {
        Node node = root;
        for (String name : names(path)) {
            node = node.children.get(name);
            if (node == null) {
                return null;
            }
        }
        return node;
    }

    private static List<String> names(FilePath path) {
        return path.isRoot() ? List.of() : List.of(path.value().substring(1).split("/"));
    }
}
