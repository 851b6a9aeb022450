// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.read.Target;
import io.packing.bdt.master.table.read.View;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.ExtraAttributes;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Snapshot;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The mutations of the namespace: mkdir, delete, rename, change of attributes. Confined to the writer thread. */
public final class NamespaceOperations {
    /** A message names no more snapshots. */
    private static final int MOST_NAMED = 10;

    private final Transaction transaction;
    private final Namespace namespace;
    private final Permissions permissions;

    /** Makes the mutations of a caller that may do everything. */
    public NamespaceOperations(Transaction transaction) {
        this(transaction, Permissions.UNCHECKED);
    }

    public NamespaceOperations(Transaction transaction, Permissions permissions) {
        this.transaction = transaction;
        this.permissions = permissions;
        this.namespace = transaction.namespace();
    }

    /** Returns the permissions of the caller. */
    Permissions permissions() {
        return permissions;
    }

    public Outcome mkdir(FilePath path, DirectoryAttributes asked, boolean createParents, long nowMillis)
            throws IOException {
        PathChecks.checkPresent(path);
        Target target = transaction.toChange(reach(path));
        ResolvedPath found = target.found();
        if (found.inode().isPresent()) {
            return Outcome.EXISTS;
        }
        PathChecks.checkCreatable(path);
        target.create();
        DirectoryAttributes attributes = target.given(asked);
        if (found.problem() == Outcome.NO_PARENT && createParents) {
            Outcome made = makeParents(path, attributes, nowMillis, false, OptionalLong.empty());
            if (made != Outcome.DONE) {
                return made;
            }
            found = transaction.toChange(path);
        }
        if (found.problem() != Outcome.DONE) {
            return found.problem();
        }
        JournalEntry.Made made =
                new JournalEntry.Made(path, transaction.change().nextId(), attributes, nowMillis, false, 1);
        make(found.link(), made, transaction.change().nextPosition());
        transaction.change().journal(transaction.change().position(), made);
        return Outcome.DONE;
    }

    /**
     * Makes the missing directories above a path, from the top down.
     *
     * @param since position from which on they have been there, though the table did not know; empty: from now on
     */
    public Outcome makeParents(
            FilePath path, DirectoryAttributes attributes, long nowMillis, boolean implied, OptionalLong since)
            throws IOException {
        String text = path.value();
        long parent = Inode.ROOT_ID;
        int from = 1;
        int made = 0;
        int end = 0;
        long position = 0;
        for (int slash = text.indexOf('/', from); slash > 0; slash = text.indexOf('/', from)) {
            String name = text.substring(from, slash);
            Optional<Inode> there = made > 0 ? Optional.empty() : namespace.directory(parent, name);
            if (there.isPresent() && !there.get().isDirectory()) {
                return Outcome.NOT_A_DIRECTORY;
            }
            if (there.isPresent()) {
                parent = there.get().id();
            } else {
                long id = transaction.change().nextId();
                position = made == 0 ? transaction.change().nextPosition() : position;
                add(new EntryLink(parent, name), id, since.orElse(position), attributes, nowMillis);
                parent = id;
                made++;
                end = slash;
            }
            from = slash + 1;
        }
        if (made > 0) {
            FilePath lowest = new FilePath(text.substring(0, end));
            JournalEntry.Made all = new JournalEntry.Made(lowest, parent, attributes, nowMillis, implied, made);
            transaction
                    .change()
                    .journal(position, since.isPresent() ? new JournalEntry.Remade(all, since.getAsLong()) : all);
        }
        return Outcome.DONE;
    }

    public Outcome delete(FilePath path, boolean recursive) throws IOException {
        if (path.isRoot()) {
            return Outcome.INVALID;
        }
        PathChecks.checkPresent(path);
        return delete(transaction.toChange(reach(path)), recursive);
    }

    /** Deletes what an entry is that can be changed where it is. */
    private Outcome delete(Target target, boolean recursive) throws IOException {
        FilePath path = target.path();
        ResolvedPath found = target.found();
        if (found.problem() != Outcome.DONE || found.inode().isEmpty()) {
            return found.whyAbsent();
        }
        Inode inode = found.inode().get();
        target.remove(target.file().inode().orElseThrow());
        boolean isFilled = inode.isDirectory() && hasEntries(inode);
        if (isFilled && !recursive && permissions.isChecked()) {
            return Outcome.NOT_EMPTY;
        }
        if (isFilled && recursive) {
            // First, since a refusal for the sake of snapshots names directories below.
            permissions.removeTree(namespace, path, inode);
        }
        if (inode.isDirectory() && !transaction.isReplay()) {
            checkNoSnapshots(path, inode.id());
        }
        if (isFilled) {
            if (!recursive) {
                return Outcome.NOT_EMPTY;
            }
            transaction.rows().put(Keys.numbered(Keys.REAP, inode.id()), new byte[0]);
        }
        transaction.remove(found.parent(), found.name(), inode);
        transaction.change().journal(new JournalEntry.Deleted(path, inode.id()));
        return Outcome.DONE;
    }

    public Outcome rename(FilePath from, FilePath to) throws IOException {
        if (!areMovable(from, to)) {
            return Outcome.INVALID;
        }
        return rename(reach(from), reach(to));
    }

    private static boolean areMovable(FilePath from, FilePath to) {
        if (from.isRoot() || to.isRoot()) {
            return false;
        }
        PathChecks.checkPresent(from);
        PathChecks.checkPresent(to);
        return true;
    }

    private Outcome rename(Target reachedSource, Target reachedTarget) throws IOException {
        Target source = transaction.toChange(reachedSource);
        FilePath from = source.path();
        if (source.inode().isEmpty()) {
            return source.found().whyAbsent();
        }
        FilePath to = reachedTarget.path();
        if (!from.equals(to) && from.contains(to)) {
            return Outcome.INVALID;
        }
        Target target = transaction.toChange(source == reachedSource ? reachedTarget : reachedTarget.again());
        ResolvedPath place = target.found();
        if (place.problem() != Outcome.DONE) {
            return place.problem();
        }
        if (place.inode().isPresent()) {
            return Outcome.EXISTS;
        }
        PathChecks.checkCreatable(to);
        Inode inode = source.inode().get();
        source.remove(source.file().inode().orElseThrow());
        target.create();
        transaction.move(source.found().parent(), source.found().name(), place.parent(), place.name(), inode);
        new LostAside(transaction).named(to);
        transaction.change().journal(JournalEntry.Renamed.of(from, to, inode));
        return Outcome.DONE;
    }

    /** As {@link #rename}, but that a file may take the place of another one. */
    public Outcome rename(FilePath from, FilePath to, boolean overwrite) throws IOException {
        if (!overwrite || from.equals(to)) {
            return rename(from, to);
        }
        Target source = reach(from);
        Target target = reach(to);
        ResolvedPath one = source.file();
        ResolvedPath other = target.file();
        if (one.isOneFileWith(other)) {
            return Outcome.DONE;
        }
        if (!isFile(one) || !isFile(other)) {
            return areMovable(from, to) ? rename(source, target) : Outcome.INVALID;
        }
        if (one.inode().orElseThrow().isUncommitted()) {
            return Outcome.UNCOMMITTED;
        }
        PathChecks.checkPresent(to);
        Outcome free = delete(transaction.toChange(target), false);
        // The deletion may have changed what both paths lead to.
        return free == Outcome.DONE ? rename(from, to) : free;
    }

    private static boolean isFile(ResolvedPath found) {
        return found.inode().isPresent() && !found.inode().get().isDirectory();
    }

    /** Finds the entry at a path for the caller. */
    Target reach(FilePath path) throws IOException {
        return permissions.reach(namespace, path);
    }

    /**
     * A place for a new file.
     *
     * @param problem the reason why none may be made there; DONE: one may
     */
    record Freed(Outcome problem, Optional<Target> place) {
        private static Freed not(Outcome problem) {
            return new Freed(problem, Optional.empty());
        }

        Target target() {
            return place.orElseThrow();
        }
    }

    /** Makes sure that a file may be made at a path: a file that is there goes, if it may be overwritten. */
    Freed makeFree(FilePath path, boolean overwrite) throws IOException {
        if (path.isRoot()) {
            return Freed.not(Outcome.IS_A_DIRECTORY);
        }
        PathChecks.checkPresent(path);
        Target target = transaction.toChange(reach(path));
        Optional<Inode> there = target.inode();
        if (there.isEmpty()) {
            target.create();
            return new Freed(target.found().problem(), Optional.of(target));
        }
        if (there.get().isDirectory()) {
            return Freed.not(Outcome.IS_A_DIRECTORY);
        }
        if (!overwrite) {
            return Freed.not(Outcome.EXISTS);
        }
        target.createOrReplace();
        return new Freed(delete(target, false), Optional.of(target));
    }

    public Outcome setAttributes(FilePath path, AttributeChange asked) throws IOException {
        PathChecks.checkPresent(path);
        ResolvedPath found = transaction.toChange(reach(path)).file();
        if (found.inode().isEmpty()) {
            return found.whyAbsent();
        }
        Inode inode = found.inode().get();
        permissions.change(path, inode, asked);
        AttributeChange change = permissions.privileges().kept(inode, asked);
        if (inode.isDirectory() && (change.mode().orElse(0) & FileAttributes.TYPE) != 0) {
            return Outcome.IS_A_DIRECTORY;
        }
        Outcome problem = inode.extras().problem(change.extra().extended());
        if (problem != Outcome.DONE) {
            return problem;
        }
        Inode now = changed(inode, change);
        transaction.setAttributes(found.link(), inode, now.attributes(), now.extras());
        if (!inode.isDirectory()) {
            // A recovery replays claims before this change, whether they were committed by now or not.
            transaction.replacements().change(found.link(), waiting -> changed(waiting, change));
        }
        AttributeChange settled = change.with(ExtraAttributes.settled(change.extra()));
        long file = inode.isDirectory() ? 0 : inode.id();
        transaction.change().journal(new JournalEntry.Changed(path, file, settled));
        return Outcome.DONE;
    }

    private static Inode changed(Inode inode, AttributeChange change) {
        return inode.with(
                Inode.changed(inode.attributes(), change), inode.extras().with(change.extra(), change.mtimeMillis()));
    }

    /** Lets a recovery know what something new was given, where what it was made by says otherwise. */
    void journalGiven(FilePath path, FileAttributes asked, FileAttributes given, RareAttributeChange extra)
            throws IOException {
        AttributeChange change = new AttributeChange(
                Optional.of(given.owner()),
                Optional.of(given.group()),
                given.mode() == asked.mode() ? OptionalInt.empty() : OptionalInt.of(given.mode()),
                OptionalLong.empty(),
                extra);
        transaction.change().journal(new JournalEntry.Changed(path, 0, change));
    }

    /** Lets a recovery know what a new file was given beside the attributes in its footer. */
    void journalChange(FilePath path, Inode made, RareAttributeChange extra) throws IOException {
        AttributeChange change =
                AttributeChange.ofMtime(made.attributes().mtimeMillis()).with(ExtraAttributes.settled(extra));
        transaction.change().journal(new JournalEntry.Changed(path, made.id(), change));
    }

    /** Makes one directory whose parent exists, as of a position. */
    public void make(EntryLink at, JournalEntry.Made made, long since) throws IOException {
        add(at, made.id(), since, made.attributes(), made.mtimeMillis());
    }

    private void add(EntryLink at, long id, long since, DirectoryAttributes attributes, long mtimeMillis)
            throws IOException {
        FileAttributes stored =
                new FileAttributes(0, mtimeMillis, attributes.owner(), attributes.group(), attributes.mode());
        transaction.add(at.parent(), at.name(), new Inode(id, since, stored, new Inode.Directory()));
    }

    /** Refuses to delete a directory with snapshots of it, or of one below it: no path would lead to them any more. */
    private void checkNoSnapshots(FilePath path, long directory) throws IOException {
        if (transaction.past().isEmpty() || !transaction.past().sight().hasNamed(directory)) {
            return;
        }
        List<String> found = new ArrayList<>();
        for (Snapshot snapshot : transaction.past().entries().allSnapshots()) {
            if (found.size() > MOST_NAMED) {
                break;
            }
            if (snapshot.isHidden()) {
                continue;
            }
            Optional<EntryLink> link = namespace.link(snapshot.directory());
            Optional<FilePath> of = link.isPresent() ? namespace.pathOf(link.get()) : Optional.empty();
            if (of.isPresent() && path.contains(of.get())) {
                found.add("%s of %s".formatted(snapshot.name(), of.get()));
            }
        }
        if (found.size() > MOST_NAMED) {
            found.set(MOST_NAMED, "others");
        }
        if (!found.isEmpty()) {
            throw new IllegalArgumentException(
                    found.size() == 1
                            ? "%s has the snapshot %s: drop it first".formatted(path, found.get(0))
                            : "%s has the snapshots %s: drop them first".formatted(path, String.join(", ", found)));
        }
    }

    private boolean hasEntries(Inode directory) throws IOException {
        return !namespace.views().list(View.present(directory), "", 1).isEmpty();
    }
}
