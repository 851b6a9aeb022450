// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.recover;

import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.change.HardLinks;
import io.packing.bdt.master.table.change.MapEdit;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.change.TreeClones;
import io.packing.bdt.master.table.operation.NamespaceOperations;
import io.packing.bdt.master.table.operation.QuotaOperations;
import io.packing.bdt.master.table.operation.SharedOptionsOperations;
import io.packing.bdt.master.table.operation.SnapshotOperations;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.ExtraAttributes;
import io.packing.bdt.master.table.row.HiddenDirectories;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replay of a journal's entries, in the order of the log, on a table that may lack files that no footer lists yet. An entry
 * in the way of a newer one is set aside under another name, never dropped. Confined to one thread.
 */
final class JournalReplay {
    private static final Logger LOG = LoggerFactory.getLogger(JournalReplay.class);

    private final Transaction transaction;
    private final NamespaceOperations directories;
    private final SnapshotOperations snapshots;
    private final TreeClones clones;
    private final ReplayPaths paths;
    private final LinkReplay links;
    private final MapReplay maps;

    /** Directories that are here under another id than the journal has of them. */
    private final Map<Long, Long> directoryIds = new HashMap<>();

    private long shared;
    private long missing;

    JournalReplay(Transaction transaction, long nowMillis, Returns returns) {
        this.transaction = transaction;
        this.directories = new NamespaceOperations(transaction);
        this.snapshots = new SnapshotOperations(transaction);
        this.clones = new TreeClones(transaction);
        this.paths = new ReplayPaths(transaction, directories, nowMillis, returns);
        this.links = new LinkReplay(transaction, paths);
        this.maps = new MapReplay(transaction, paths);
    }

    /** Returns the paths that entries come to. */
    ReplayPaths paths() {
        return paths;
    }

    /** Returns the number of entries that made way. */
    long setAside() {
        return paths.setAside();
    }

    /** Files whose bytes others have, too. */
    long shared() {
        return shared;
    }

    /** Contents whose bytes are in no blob yet. */
    long missing() {
        return missing;
    }

    void apply(JournalEntry entry, long position) throws IOException {
        if (entry instanceof JournalEntry.Deleted deleted) {
            replayed(directories.delete(deleted.path(), true), Outcome.NOT_EMPTY, entry);
        } else if (entry instanceof JournalEntry.Renamed renamed) {
            rename(renamed, position);
        } else if (entry instanceof JournalEntry.Linked linked) {
            links.replay(linked, position);
        } else if (entry instanceof JournalEntry.NameOwned owned) {
            links.replay(owned, position);
        } else if (entry instanceof JournalEntry.Ended ended) {
            end(ended);
        } else if (entry instanceof JournalEntry.Kept kept) {
            keep(kept, position);
        } else if (entry instanceof JournalEntry.Mapped mapped) {
            map(mapped, position);
        } else if (entry instanceof JournalEntry.Spliced spliced) {
            splice(spliced, position);
        } else if (entry instanceof JournalEntry.Repacked repacked) {
            maps.repack(repacked);
        } else if (entry instanceof JournalEntry.LayeredClone clone) {
            maps.clone(clone, position);
        } else if (entry instanceof JournalEntry.Snapshotted taken) {
            snapshots.replay(taken, position);
        } else if (entry instanceof JournalEntry.SnapshotRenamed renamed) {
            replayed(
                    snapshots.rename(new Operation.RenameSnapshot(renamed.path(), renamed.from(), renamed.to())),
                    Outcome.EXISTS,
                    entry);
        } else if (entry instanceof JournalEntry.SnapshotDropped dropped) {
            replayed(snapshots.drop(new Operation.DropSnapshot(dropped.path(), dropped.name())), Outcome.EXISTS, entry);
        } else if (entry instanceof JournalEntry.Held held) {
            hold(held);
        } else if (entry instanceof JournalEntry.Made made) {
            make(made, position);
        } else if (entry instanceof JournalEntry.Cloned cloned) {
            clone(cloned, position);
        } else if (entry instanceof JournalEntry.Owned owned) {
            makeOwn(owned, position);
        } else if (entry instanceof JournalEntry.QuotaSet set) {
            new QuotaOperations(transaction, Permissions.UNCHECKED).replay(set);
        } else if (entry instanceof JournalEntry.SharedOptionsSet set) {
            SharedOptionsOperations.replay(transaction, set);
        } else if (entry instanceof JournalEntry.Changed changed) {
            change(changed);
        }
    }

    /** Checks the outcome of a replayed mutation: it may meet nothing any more, but never this. */
    private static void replayed(Outcome outcome, Outcome never, JournalEntry entry) throws IOException {
        if (outcome == never) {
            throw new IOException("the journal's %s meets %s: this is a defect".formatted(entry, outcome));
        }
    }

    private void make(JournalEntry.Made made, long position) throws IOException {
        transaction.change().learnId(made.id());
        Deque<FilePath> levels = new ArrayDeque<>();
        for (Optional<FilePath> up = Optional.of(made.path()); levels.size() < made.levels(); ) {
            FilePath path = up.orElseThrow(() -> new IOException("the journal makes more directories than " + made));
            levels.push(path);
            up = path.parent();
        }
        long id = made.id() - levels.size();
        for (FilePath path : levels) {
            id++;
            ResolvedPath found = paths.makeWay(path, position);
            if (found.inode().isPresent() && found.inode().get().isDirectory()) {
                directoryIds.put(id, found.inode().get().id());
                continue;
            }
            if (found.inode().isPresent()) {
                paths.setAside(path, found);
            }
            directories.make(
                    found.link(),
                    new JournalEntry.Made(path, id, made.attributes(), made.mtimeMillis(), made.implied(), 1),
                    position);
        }
    }

    private void clone(JournalEntry.Cloned cloned, long position) throws IOException {
        transaction.change().learnId(cloned.id());
        ResolvedPath source = clones.source(cloned.source());
        ResolvedPath to = paths.makeWayAside(cloned.destination(), position);
        if (to.inode().isPresent()) {
            paths.setAside(cloned.destination(), to);
        }
        if (source.inode().filter(Inode::isDirectory).isPresent()) {
            clones.add(cloned, source, to.link(), position);
        } else {
            LOG.error("{} cannot be made a clone of {} again: that is lost", cloned.destination(), cloned.source());
            JournalEntry.Made made = new JournalEntry.Made(
                    cloned.destination(), cloned.id(), ReplayPaths.UNKNOWN, cloned.takenMillis(), false, 1);
            directories.make(to.link(), made, position);
        }
    }

    private void change(JournalEntry.Changed changed) throws IOException {
        Optional<Inode> name = transaction.toChange(changed.path()).inode();
        // A file of which no footer tells yet has taken this name. The file that had it stays as it is.
        if (changed.file() == 0 || name.isEmpty() || !isAnother(name.get(), changed.file())) {
            replayed(directories.setAttributes(changed.path(), changed.change()), Outcome.EXISTS, changed);
        }
    }

    /** Returns whether an inode is of a file with another id. The id of a file whose bytes others share says nothing. */
    private static boolean isAnother(Inode inode, long file) {
        return inode.place() instanceof Inode.Linked linked
                ? linked.file() != file
                : inode.place() instanceof Inode.Packed && inode.id() != file;
    }

    private void makeOwn(JournalEntry.Owned owned, long position) throws IOException {
        transaction.change().learnId(owned.id());
        ResolvedPath at = clones.toReplace(owned.path());
        Optional<Inode> own = at.inode().filter(Inode::isDirectory);
        if (own.isPresent()) {
            directoryIds.put(owned.id(), own.get().id());
            return;
        }
        ResolvedPath found = transaction.namespace().find(owned.path());
        if (at.inode().isEmpty() && found.inode().filter(Inode::isDirectory).isPresent()) {
            clones.makeDirectoryOwn(at.link(), found.seen(), owned.id(), position);
        }
    }

    /** Contents of which nothing else is known are missing until their workers come back with them. */
    private void map(JournalEntry.Mapped mapped, long position) throws IOException {
        if (ReplacedOriginals.isOver(transaction, mapped, position)) {
            transaction.change().learnId(mapped.id());
            return;
        }
        for (JournalEntry.Source source : mapped.contents()) {
            ensure(source);
        }
        Optional<Namespace.Entry> known = paths.file(mapped.id());
        if (known.isPresent()) {
            EntryLink at = known.get().link();
            Inode before = transaction.share(at, known.get().inode());
            Inode after = mapped.inode(position);
            resized(mapped.path(), at, before, after.attributes().length());
            // What was counted then may have left names that a deleted tree has still here.
            ExtraAttributes extras = after.extras().withLinks(before.extras().links());
            Inode unused = transaction.maps().remap(transaction, at, before, after.with(after.attributes(), extras));
            transaction.change().learnId(mapped.id());
            return;
        }
        ResolvedPath found = paths.makeWay(mapped.path(), position);
        EntryLink at = found.link();
        if (found.inode().isPresent() && !found.inode().get().isDirectory()) {
            // A claim of this file overwrote it, or a claim of a file whose own bytes are needed no more.
            paths.supersede(mapped.path(), found, mapped.inode(position), position);
        } else {
            if (found.inode().isPresent()) {
                paths.setAside(mapped.path(), found);
            }
            transaction.addMapped(at, mapped.inode(position));
        }
        transaction.change().learnId(mapped.id());
    }

    private void resized(FilePath path, EntryLink at, Inode before, long length) throws IOException {
        if (at.parent() == HiddenDirectories.FILES) {
            HardLinks.resized(transaction, path, before.id(), length);
        } else {
            transaction.quotas().grew(at.parent(), length - before.attributes().length());
        }
    }

    /** A file that is not there, or not as it was before, had changes in a journal that is missing. */
    private void splice(JournalEntry.Spliced spliced, long position) throws IOException {
        transaction.change().learnId(spliced.id());
        Optional<Namespace.Entry> known = paths.file(spliced.id());
        if (known.isEmpty()) {
            LOG.error("{}: the journal has a change of it, and the file is not there: that is lost", spliced.path());
            return;
        }
        for (JournalEntry.Source source : spliced.contents()) {
            ensure(source);
        }
        EntryLink at = known.get().link();
        Inode before = transaction.share(at, known.get().inode());
        boolean isNext = before.generation() == spliced.before();
        if (!isNext) {
            LOG.error(
                    "{}: the journal has a change of generation {}, and the table has {}: what was written between"
                            + " them is lost",
                    spliced.path(),
                    spliced.before(),
                    before.generation());
        }
        resized(spliced.path(), at, before, spliced.attributes().length());
        Inode after = new Inode(
                before.id(),
                // The file stays as old as it was, so that checks tell of it.
                isNext ? position : before.generation(),
                spliced.attributes(),
                before.place(),
                spliced.extras().withLinks(before.extras().links()));
        MapEdit edit = new MapEdit(
                transaction,
                at,
                before,
                before.place() instanceof Inode.Mapped mapped ? Optional.of(mapped.map()) : Optional.empty());
        for (JournalEntry.Splice each : spliced.splices()) {
            edit.put(each.offset(), each.length(), each.map());
        }
        JournalEntry unused = edit.write(spliced.path(), before, after);
    }

    /** A snapshot sees a file of which the replay may know nothing: no footer has it. */
    private void hold(JournalEntry.Held held) throws IOException {
        EntryLink at = new EntryLink(directoryIds.getOrDefault(held.parent(), held.parent()), held.name());
        for (JournalEntry.Source source : held.contents()) {
            ensure(source);
        }
        Inode was =
                new Inode(held.id(), held.generation(), held.attributes(), new Inode.Mapped(held.map()), held.extras());
        transaction.past().comeBack(at, held.until(), was, held.map());
    }

    private void ensure(JournalEntry.Source source) throws IOException {
        if (transaction.contents().get(source.id()).isPresent()) {
            return;
        }
        FileVersion version = new FileVersion(source.id(), source.generation());
        Optional<Namespace.Entry> alone = transaction.namespace().file(version).filter(entry -> !entry.waiting());
        if (alone.isPresent()) {
            shared += transaction.share(alone.get().link(), alone.get().inode()).isDirectory() ? 0 : 1;
        } else {
            missing++;
            transaction
                    .contents()
                    .add(new Content(source.id(), source.generation(), source.length(), new Inode.Missing()));
        }
    }

    /** Ends files. Newer ones that overwrote them may be in no blob yet: until then the ended files stay at their paths, and make way for any entry that comes. */
    private void end(JournalEntry.Ended ended) throws IOException {
        for (long id : ended.ids()) {
            if (paths.file(id).isPresent()) {
                paths.isOver(id);
            }
        }
    }

    private void keep(JournalEntry.Kept kept, long position) throws IOException {
        if (paths.file(kept.id()).isEmpty()) {
            return;
        }
        ResolvedPath to = paths.makeWayAside(kept.path(), position);
        if (to.inode().isPresent()) {
            if (to.inode().get().id() == kept.id()) {
                return;
            }
            paths.setAside(kept.path(), to);
        }
        // Making way may have moved it.
        Namespace.Entry file = paths.file(kept.id()).orElseThrow();
        EntryLink from = file.link();
        transaction.move(from.parent(), from.name(), to.parent(), to.name(), file.inode());
    }

    /** Returns whether the file at a path is an older one, in whose place the moved file came before it was moved away. */
    private static boolean isOlder(Inode there, JournalEntry.Renamed renamed) {
        return !there.isDirectory()
                && !(there.place() instanceof Inode.Linked)
                && there.id() != renamed.id()
                && there.generation() < renamed.generation();
    }

    private void rename(JournalEntry.Renamed renamed, long position) throws IOException {
        ResolvedPath from = transaction.toChange(renamed.from());
        if (from.inode().isPresent() && isOlder(from.inode().get(), renamed)) {
            paths.replaced(renamed.from(), from, position);
            from = transaction.toChange(renamed.from());
        }
        if (from.inode().isEmpty()) {
            // Nothing that was moved had been pushed.
            ResolvedPath target = clones.toReplace(renamed.to());
            if (target.problem() == Outcome.DONE && target.inode().isEmpty()) {
                transaction.past().beforeArrival(new EntryLink(target.parent(), target.name()));
            }
            return;
        }
        ResolvedPath to = paths.makeWayAside(renamed.to(), position);
        if (to.inode().isPresent()) {
            paths.setAside(renamed.to(), to);
        }
        transaction.move(
                from.parent(), from.name(), to.parent(), to.name(), from.inode().get());
    }
}
