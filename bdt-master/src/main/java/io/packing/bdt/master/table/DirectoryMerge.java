package io.packing.bdt.master.table;

import io.packing.bdt.Outcome;
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
        if (from.contains(to)) {
            return Outcome.INVALID;
        }
        Namespace.Found source = transaction.toChange(from);
        Namespace.Found target = transaction.toChange(to);
        if (source.inode().isEmpty() || target.inode().isEmpty()) {
            return Outcome.NOT_FOUND;
        }
        if (!source.inode().get().isDirectory() || !target.inode().get().isDirectory()) {
            return Outcome.NOT_A_DIRECTORY;
        }
        left.push(new Pair(
                from, source.inode().get().id(), to, target.inode().get().id()));
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

    private Outcome move(Pair pair, FilePath source) throws IOException {
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
            FilePath from = pair.from.child(child.name);
            FilePath to = pair.to.child(child.name);
            Optional<Inode> there = transaction.namespace().entry(pair.toId, child.name);
            if (there.isPresent() && there.get().isDirectory() && child.inode.isDirectory()) {
                left.push(new Pair(from, child.inode.id(), to, there.get().id()));
                continue;
            }
            if (to.contains(source)) {
                return Outcome.INVALID;
            }
            Outcome free = there.isPresent() ? names.delete(to, true) : Outcome.DONE;
            if (free != Outcome.DONE) {
                return free;
            }
            NamespaceOperations.checkCreatable(to);
            // Ten thousand of them may come: nothing is looked up that is known.
            if (waiting) {
                transaction.move(pair.fromId, child.name, pair.toId, child.name, child.inode);
            } else {
                transaction.relink(pair.fromId, child.name, pair.toId, child.name, child.inode);
            }
            transaction.journal(transaction.nextPosition(), new JournalEntry.Renamed(from, to, child.inode.id()));
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
