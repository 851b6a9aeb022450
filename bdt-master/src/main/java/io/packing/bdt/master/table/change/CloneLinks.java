// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.read.View;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.ExtraAttributes;
import io.packing.bdt.master.table.row.HiddenDirectories;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Origin;
import io.packing.bdt.master.table.row.TraversedClone;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Files with several names in clones of trees (RFC 0009). The first change of such a file inside of a clone makes a file of the clone's own, and
 * a <em>twin row</em>, by which all names that the clone has from its origin find that file. The row counts the names that are no entries
 * of the clone yet. Confined to the writer thread.
 */
public final class CloneLinks {
    private final Transaction transaction;
    private final Namespace namespace;

    public CloneLinks(Transaction transaction) {
        this.transaction = transaction;
        this.namespace = transaction.namespace();
    }

    /** Returns whether a clone has, or had, files in the place of others. */
    boolean isUsed(long clone) throws IOException {
        long directory = HiddenDirectories.twins(clone);
        for (byte[] from : List.of(Keys.entries(directory), Keys.pastOf(Keys.entries(directory)))) {
            byte[] to = Keys.entriesEnd(directory);
            if (transaction.rows().any(from, from[0] == to[0] ? to : Keys.pastOf(to))) {
                return true;
            }
        }
        return false;
    }

    /** A directory of a clone is there from now on. */
    void arrived(Origin origin) throws IOException {
        OptionalLong clone = origin.cloneId();
        if (clone.isPresent()) {
            count(clone.getAsLong(), 1);
        }
    }

    /** A directory has left; with the last one of a clone its twin rows go. */
    static void left(Transaction transaction, Inode directory) throws IOException {
        OptionalLong clone = directory.origin().map(Origin::cloneId).orElse(OptionalLong.empty());
        if (clone.isPresent()) {
            new CloneLinks(transaction).count(clone.getAsLong(), -1);
        }
    }

    private void count(long clone, int sign) throws IOException {
        byte[] key = Keys.numbered(Keys.MEMBERS, clone);
        long before = transaction
                .rows()
                .get(key)
                .map(row -> new Bytes.In(row).number())
                .orElse(0L);
        long now = before + sign;
        if (now > 0) {
            transaction.rows().put(key, new Bytes.Out().number(now).toBytes());
            return;
        }
        transaction.rows().delete(key);
        if (isUsed(clone)) {
            transaction.rows().put(Keys.numbered(Keys.REAP, HiddenDirectories.twins(clone)), new byte[0]);
        }
    }

    /** Returns the number of names of a file that a clone gets for itself; 0: only this name leads to it. */
    int names(View.Seen name, Inode file) {
        boolean hasClone = !name.passages().isEmpty() && last(name).isPresent();
        return name.inode().place() instanceof Inode.Linked
                        && hasClone
                        && file.extras().links() > 1
                ? file.extras().links()
                : 0;
    }

    private static TraversedClone last(View.Seen name) {
        return name.passages().get(name.passages().size() - 1);
    }

    /** The twin row of the file that a name leads to below the clone that is seen last. */
    private EntryLink twin(View.Seen name) throws IOException {
        List<TraversedClone> below = name.passages().subList(0, name.passages().size() - 1);
        View.Seen file = namespace.views().follow(new View.Seen(name.inode(), name.parent(), name.snapshot(), below));
        return HiddenDirectories.twin(last(name).cloneId(), file.inode().id(), file.passages());
    }

    /** A name becomes an entry of the clone when the clone has a file in the place of its file; empty: it has none. */
    Optional<Inode> join(FilePath path, EntryLink at, View.Seen name) throws IOException {
        if (!(name.inode().place() instanceof Inode.Linked)
                || name.passages().isEmpty()
                || !last(name).isPresent()) {
            return Optional.empty();
        }
        EntryLink twin = twin(name);
        Optional<Inode> there = namespace.entry(twin.parent(), twin.name());
        if (there.isEmpty() || !(there.get().place() instanceof Inode.Linked own)) {
            return Optional.empty();
        }
        long position = transaction.change().nextPosition();
        long id = transaction.change().nextId();
        Inode entry = addName(at, name, id, own.file(), position);
        new HardLinks(transaction).count(own.file(), 1);
        take(twin, there.get());
        transaction.change().journal(position, new JournalEntry.NameOwned(path, id, own.file(), twin.name(), 0, 0));
        return Optional.of(entry);
    }

    /** The clone has a file of its own, which counts all of its names; the first of them becomes an entry. */
    Inode add(FilePath path, EntryLink at, View.Seen name, Inode own) throws IOException {
        EntryLink row = twin(name);
        long position = transaction.change().nextPosition();
        long id = transaction.change().nextId();
        long twin = transaction.change().nextId();
        int others = own.extras().links() - 1;
        Inode entry = addName(at, name, id, own.id(), position);
        addTwin(row, twin, own.id(), others, position);
        transaction
                .change()
                .journal(position, new JournalEntry.NameOwned(path, id, own.id(), row.name(), twin, others));
        return entry;
    }

    /** Adds a name, which counts for quotas as it did when the clone had it from its origin. */
    private Inode addName(EntryLink at, View.Seen name, long id, long file, long position) {
        Inode entry = new Inode(id, position, name.inode().attributes(), new Inode.Linked(file));
        transaction.inherit(at.parent(), at.name(), entry);
        return entry;
    }

    public void addTwin(EntryLink at, long id, long file, int names, long position) {
        Inode twin = new Inode(
                id,
                position,
                new FileAttributes(0, 0, "", "", 0),
                new Inode.Linked(file),
                ExtraAttributes.NONE.withLinks(names));
        transaction.inherit(at.parent(), at.name(), twin);
    }

    /** One of the names that a twin row counts is an entry now. */
    public void take(EntryLink at, Inode twin) throws IOException {
        if (!(twin.place() instanceof Inode.Linked own)) {
            return;
        }
        int left = twin.extras().links() - 1;
        if (left > 0) {
            transaction.setAttributes(at, twin, twin.attributes(), twin.extras().withLinks(left));
            new HardLinks(transaction).count(own.file(), -1);
        } else {
            transaction.remove(at.parent(), at.name(), twin);
        }
    }
}
