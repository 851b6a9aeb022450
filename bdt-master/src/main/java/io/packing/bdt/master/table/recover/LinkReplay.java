// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.recover;

import io.packing.bdt.master.table.change.CloneLinks;
import io.packing.bdt.master.table.change.HardLinks;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.read.View;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.HiddenDirectories;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Origin;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/** Replays the journal's entries of files with several names (RFC 0009). Confined to one thread. */
final class LinkReplay {
    private final Transaction transaction;
    private final ReplayPaths paths;
    private final HardLinks links;
    private final CloneLinks clones;

    LinkReplay(Transaction transaction, ReplayPaths paths) {
        this.transaction = transaction;
        this.paths = paths;
        this.links = new HardLinks(transaction);
        this.clones = new CloneLinks(transaction);
    }

    /**
     * Gives a file a name again, by its journal entry. A file of which nothing else is known is missing until its worker comes back with
     * it.
     */
    void replay(JournalEntry.Linked linked, long position) throws IOException {
        transaction.change().learnId(linked.newName());
        EntryLink hidden = HiddenDirectories.file(linked.file());
        long length = linked.attributes().length();
        Optional<Namespace.Entry> known = paths.file(linked.file());
        if (known.isEmpty()) {
            addLost(hidden, linked);
            if (linked.firstName() != 0) {
                replaceByName(linked, position);
            }
        } else if (!known.get().link().equals(hidden)) {
            links.hide(known.get().link(), known.get().inode());
            if (linked.firstName() != 0) {
                links.addName(known.get().link(), linked.firstName(), linked.file(), position, length);
            }
        }
        links.addName(freed(linked.name(), position), linked.newName(), linked.file(), position, length);
    }

    /** Adds a file whose place is lost. Its bytes come back as a content if an earlier entry says that other files share them. */
    private void addLost(EntryLink at, JournalEntry.Linked linked) throws IOException {
        Inode missing = new Inode(
                linked.file(), linked.generation(), linked.attributes(), new Inode.Missing(), linked.extras());
        long length = linked.attributes().length();
        boolean isShared = transaction
                .contents()
                .get(linked.file())
                .filter(content -> content.generation() == linked.generation() && content.length() == length)
                .isPresent();
        // It may be older than snapshots, which saw it at its first name.
        transaction.past().beforeArrival(at);
        if (isShared) {
            transaction.addMapped(at, missing.at(new Inode.Mapped(ReferenceMap.whole(linked.file(), length))));
        } else {
            transaction.add(at.parent(), at.name(), missing);
        }
    }

    /** Gives a missing file its name. Its claim, which is nowhere else, may have overwritten the entry that is there. */
    private void replaceByName(JournalEntry.Linked linked, long position) throws IOException {
        ResolvedPath found = paths.makeWay(linked.path(), position);
        long length = linked.attributes().length();
        if (found.inode().filter(inode -> !inode.isDirectory()).isPresent()) {
            Inode name = HardLinks.name(linked.firstName(), linked.file(), position, length);
            paths.supersede(linked.path(), found, name, position);
            links.countName(linked.file());
        } else {
            links.addName(freed(linked.path(), position), linked.firstName(), linked.file(), position, length);
        }
    }

    /** A place for a name; what is there is older, and makes way. */
    private EntryLink freed(FilePath path, long position) throws IOException {
        ResolvedPath found = paths.makeWay(path, position);
        if (found.inode().isPresent()) {
            paths.setAside(path, found);
        }
        return found.link();
    }

    /** Makes a name an entry of its clone again, by its journal entry. The clone shows the entry of its origin if the file is lost. */
    void replay(JournalEntry.NameOwned owned, long position) throws IOException {
        transaction.change().learnId(Math.max(owned.name(), owned.twin()));
        Optional<Namespace.Entry> known = paths.file(owned.file());
        if (known.isEmpty()) {
            return;
        }
        long length = counted(owned.path(), known.get().inode().attributes().length());
        if (!known.get().link().equals(HiddenDirectories.file(owned.file()))) {
            links.hide(known.get().link(), known.get().inode());
        }
        EntryLink at = freed(owned.path(), position);
        links.addName(at, owned.name(), owned.file(), position, length);
        Optional<Origin> origin = transaction
                .namespace()
                .linked(at.parent())
                .map(Namespace.Entry::inode)
                .flatMap(Inode::origin);
        OptionalLong clone = origin.isPresent() ? origin.get().cloneId() : OptionalLong.empty();
        if (clone.isEmpty()) {
            return;
        }
        EntryLink twin = new EntryLink(HiddenDirectories.twins(clone.getAsLong()), owned.row());
        Optional<Inode> there = transaction.namespace().entry(twin.parent(), twin.name());
        if (there.isPresent()) {
            clones.take(twin, there.get());
        } else if (owned.others() > 0) {
            clones.addTwin(twin, owned.twin(), owned.file(), owned.others(), position);
            links.count(owned.file(), owned.others());
        }
    }

    /** The length that a name of the origin counts, which is the length that the clone's name counts; without one there: that of the file. */
    private long counted(FilePath path, long ofFile) throws IOException {
        Optional<Inode> directory = path.parent().isEmpty()
                ? Optional.empty()
                : transaction.namespace().find(path.parent().get()).inode();
        Optional<View.Seen> name = directory.isEmpty()
                ? Optional.empty()
                : transaction.namespace().views().inherited(View.present(directory.get()), path.name());
        return name.map(View.Seen::inode)
                .filter(inode -> inode.place() instanceof Inode.Linked)
                .map(inode -> inode.attributes().length())
                .orElse(ofFile);
    }
}
