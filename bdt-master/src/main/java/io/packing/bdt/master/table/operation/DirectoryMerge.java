// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.AccessMode;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.change.TreeClones;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.read.View;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Keys;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Moves all that is in a directory into another one. Confined to the writer thread. */
final class DirectoryMerge {
    private final Transaction transaction;
    private final NamespaceOperations names;
    private final Deque<Pair> left = new ArrayDeque<>();
    private final Set<Long> sources = new HashSet<>();

    /** Directories of which one becomes a part of the other. */
    private record Pair(FilePath from, long fromId, FilePath to, long toId) {}

    private record Child(String name, Inode inode) {}

    DirectoryMerge(Transaction transaction, NamespaceOperations names) {
        this.transaction = transaction;
        this.names = names;
    }

    Outcome merge(FilePath from, FilePath to) throws IOException {
        need(from, 7);
        need(to, AccessMode.WRITE | AccessMode.SEARCH);
        ResolvedPath source = transaction.toChange(from);
        ResolvedPath target = transaction.toChange(to);
        Outcome possible = check(from, source, to, target);
        if (possible != Outcome.DONE) {
            return possible;
        }
        left.push(new Pair(
                from,
                source.inode().orElseThrow().id(),
                to,
                target.inode().orElseThrow().id()));
        while (!left.isEmpty()) {
            Pair pair = left.pop();
            sources.add(pair.fromId);
            // Below its own source there is no end.
            Outcome moved = sources.contains(pair.toId) ? Outcome.INVALID : move(pair, from);
            if (moved != Outcome.DONE) {
                return moved;
            }
        }
        return names.delete(from, true);
    }

    Outcome mergeEach(Operation.MergeEachDirectory merge) throws IOException {
        need(merge.from(), 7);
        need(merge.to(), AccessMode.WRITE | AccessMode.SEARCH);
        ResolvedPath source = transaction.toChange(merge.from());
        Outcome possible = check(merge.from(), source, merge.to(), transaction.toChange(merge.to()));
        if (possible != Outcome.DONE) {
            return possible;
        }
        Inode directory = source.inode().orElseThrow();
        if (transaction.past().hasClones()) {
            new TreeClones(transaction).makeOwnAllIn(merge.from(), directory);
        }
        for (Child child : children(directory.id())) {
            if (merge.except().filter(child.name::equals).isPresent()) {
                continue;
            }
            Outcome merged = merge(merge.from().child(child.name), merge.to());
            if (merged != Outcome.DONE) {
                return merged;
            }
        }
        return names.delete(merge.from(), true);
    }

    private void need(FilePath directory, int rights) throws IOException {
        names.permissions().need(transaction.namespace(), directory, rights);
    }

    private static Outcome check(FilePath from, ResolvedPath source, FilePath to, ResolvedPath target) {
        if (from.contains(to)) {
            return Outcome.INVALID;
        }
        if (source.inode().isEmpty() || target.inode().isEmpty()) {
            return Outcome.NOT_FOUND;
        }
        boolean directories =
                source.inode().get().isDirectory() && target.inode().get().isDirectory();
        return directories ? Outcome.DONE : Outcome.NOT_A_DIRECTORY;
    }

    private Outcome move(Pair pair, FilePath source) throws IOException {
        need(pair.from, 7);
        need(pair.to, AccessMode.WRITE | AccessMode.SEARCH);
        if (transaction.past().hasClones()) {
            // Whatever a clone has from its origin moves as what it has itself.
            TreeClones clones = new TreeClones(transaction);
            clones.makeOwnAllIn(
                    pair.from, transaction.toChange(pair.from).inode().orElseThrow());
            for (Child child : children(pair.fromId)) {
                clones.toChange(pair.to.child(child.name));
            }
        }
        boolean waiting = transaction.replacements().anyIn(pair.fromId);
        for (Child child : children(pair.fromId)) {
            transaction.rows().effort().allowName();
            FilePath from = pair.from.child(child.name);
            FilePath to = pair.to.child(child.name);
            // Doors check the paths of their callers; this one comes of a name that they do not see.
            to.whyNotForUsers().ifPresent(why -> {
                throw new IllegalArgumentException(why);
            });
            Optional<Inode> there = transaction.namespace().entry(pair.toId, child.name);
            if (there.isPresent() && there.get().isDirectory() && child.inode.isDirectory()) {
                left.push(new Pair(from, child.inode.id(), to, there.get().id()));
                continue;
            }
            if (to.contains(source)) {
                return Outcome.INVALID;
            }
            Inode file = transaction
                    .namespace()
                    .views()
                    .follow(new View.Seen(child.inode, pair.fromId, Optional.empty(), List.of()))
                    .inode();
            names.permissions().remove(transaction.namespace(), from, file);
            if (there.isPresent() && file.isUncommitted()) {
                return Outcome.UNCOMMITTED;
            }
            Outcome free = there.isPresent() ? names.delete(to, true) : Outcome.DONE;
            if (free != Outcome.DONE) {
                return free;
            }
            PathChecks.checkCreatable(to);
            // Ten thousand of them may come: nothing is looked up that is known.
            if (waiting) {
                transaction.move(pair.fromId, child.name, pair.toId, child.name, child.inode);
            } else {
                transaction.relink(pair.fromId, child.name, pair.toId, child.name, child.inode);
            }
            transaction.change().journal(JournalEntry.Renamed.of(from, to, child.inode));
        }
        return Outcome.DONE;
    }

    private List<Child> children(long directory) throws IOException {
        List<Child> children = new ArrayList<>();
        transaction.rows().scan(Keys.entries(directory), Keys.entriesEnd(directory), (key, value) -> {
            children.add(new Child(Keys.entryName(key), Inode.decode(value)));
            return true;
        });
        return children;
    }
}
