package io.packing.bdt.master.table;

import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;

/**
 * Files with several names (RFC 0009). Such a file is an entry of a directory that nobody sees, called by its id, and counts its names;
 * each name is an entry that leads to it. A file that never had a second name is an entry itself, and knows nothing of this. Confined to
 * the writer thread.
 */
final class HardLinks {
    /** Stands for the directory that has the files. It has no row itself: no id is as high. */
    static final long DIRECTORY = Long.MAX_VALUE - 1;

    /** By this path a file is shown that was asked for by its version. */
    static final FilePath PATH = FilePath.RESERVED.child("links");

    /** Above all ids, and below the directories that nobody sees. */
    private static final long HIDDEN = 1L << 62;

    private final Transaction transaction;
    private final Namespace namespace;

    HardLinks(Transaction transaction) {
        this.transaction = transaction;
        this.namespace = transaction.namespace();
    }

    /** Whether a directory is one that nobody sees: of files with several names, or of what a clone has in the place of such files. */
    static boolean isHidden(long directory) {
        return directory >= HIDDEN;
    }

    /** Where a file with several names is. */
    static Namespace.Link at(long file) {
        return new Namespace.Link(DIRECTORY, Long.toString(file));
    }

    /** Whether what two names lead to is one file; until a clone changes a file, it has the id of the one in the origin. */
    static boolean isOneFile(Namespace.Found one, Namespace.Found other) {
        return one.inode().isPresent()
                && other.inode().isPresent()
                && one.inode().get().extras().links() > 1
                && one.inode().get().id() == other.inode().get().id()
                && one.shown().equals(other.shown());
    }

    Outcome link(Operation.Link link, Permissions permissions) throws IOException {
        NamespaceOperations.checkPresent(link.file());
        NamespaceOperations.checkPresent(link.name());
        permissions.search(namespace, link.file());
        permissions.search(namespace, link.name());
        Namespace.Found source = transaction.toChange(link.file());
        if (source.inode().isEmpty()) {
            return source.problem() == Outcome.NOT_A_DIRECTORY ? source.problem() : Outcome.NOT_FOUND;
        }
        if (source.inode().get().isDirectory()) {
            return Outcome.IS_A_DIRECTORY;
        }
        Namespace.Found target = transaction.toChange(link.name());
        if (target.problem() != Outcome.DONE) {
            return target.problem();
        }
        if (target.inode().isPresent()) {
            return Outcome.EXISTS;
        }
        Inode file = namespace.follow(source).inode().orElseThrow();
        if (file.place() instanceof Inode.Missing) {
            return Outcome.NOT_FOUND;
        }
        NamespaceOperations.checkCreatable(link.name());
        permissions.create(namespace, link.name());
        permissions.privileges().link(link.file(), file);
        boolean isFirst = !(source.inode().get().place() instanceof Inode.Linked);
        if (isFirst) {
            hide(source.link(), file);
        }
        Inode hidden = hidden(file.id()).orElseThrow();
        long position = transaction.nextPosition();
        JournalEntry.Linked linked = new JournalEntry.Linked(
                link.file(),
                link.name(),
                isFirst ? transaction.counters().nextId++ : 0,
                transaction.counters().nextId++,
                hidden.id(),
                hidden.generation(),
                hidden.attributes(),
                hidden.extras().withLinks(0));
        long length = hidden.attributes().length();
        if (isFirst) {
            addName(source.link(), linked.firstName(), file.id(), position, length);
        }
        addName(target.link(), linked.newName(), file.id(), position, length);
        transaction.journal(position, linked);
        return Outcome.DONE;
    }

    /** Moves a file that gets its second name to where it has none. */
    void hide(Namespace.Link from, Inode file) throws IOException {
        Namespace.Link to = at(file.id());
        // What waits to replace the file goes on waiting at the name.
        transaction.relink(from.parent(), from.name(), to.parent(), to.name(), file);
    }

    /** @param length that the name counts for quotas */
    void addName(Namespace.Link at, long id, long file, long position, long length) throws IOException {
        transaction.add(at.parent(), at.name(), name(id, file, position, length));
        countName(file);
    }

    private static Inode name(long id, long file, long position, long length) {
        return new Inode(id, position, attributes(length), new Inode.Linked(file));
    }

    /** Of a name: only how many bytes count for quotas. */
    private static FileAttributes attributes(long length) {
        return new FileAttributes(length, 0, "", "", 0);
    }

    /** A file has another length by one of its names: from now on that name counts it. In a replay the name may be another file's. */
    static void resized(Transaction transaction, FilePath name, long file, long length) throws IOException {
        Namespace.Found found = transaction.namespace().find(name);
        Optional<Inode> entry =
                found.inode().filter(inode -> inode.place() instanceof Inode.Linked linked && linked.file() == file);
        if (entry.isPresent() && entry.get().attributes().length() != length) {
            long before = entry.get().attributes().length();
            transaction.change(
                    found.link(), entry.get(), attributes(length), entry.get().extras());
            transaction.quotas().grew(found.parent(), length - before);
        }
    }

    private void countName(long file) throws IOException {
        count(file, 1);
    }

    /** A file has so many names more; less than none: fewer. */
    void count(long file, int more) throws IOException {
        count(
                hidden(file).orElseThrow(() -> new IOException("a name of file %d, which is gone".formatted(file))),
                more);
    }

    private void count(Inode hidden, int more) throws IOException {
        int links = Math.addExact(hidden.extras().links(), more);
        transaction.change(
                at(hidden.id()), hidden, hidden.attributes(), hidden.extras().withLinks(links));
    }

    private Optional<Inode> hidden(long file) throws IOException {
        Namespace.Link at = at(file);
        return namespace.entry(at.parent(), at.name());
    }

    /** An entry has gone; with the last name of a file the file goes. */
    static void left(Transaction transaction, Inode entry) throws IOException {
        if (entry.place() instanceof Inode.Linked linked) {
            // A twin row stands for several names.
            new HardLinks(transaction)
                    .left(linked.file(), Math.max(1, entry.extras().links()));
        }
    }

    private void left(long file, int names) throws IOException {
        Optional<Inode> hidden = hidden(file);
        if (hidden.isEmpty()) {
            return;
        }
        if (hidden.get().extras().links() > names) {
            count(hidden.get(), -names);
        } else {
            Namespace.Link at = at(file);
            transaction.remove(at.parent(), at.name(), hidden.get());
        }
    }

    /**
     * Gives a file a name again that a journal tells of. A file of which nothing else is known is missing until its worker comes back with
     * it.
     */
    void replay(JournalEntry.Linked linked, JournalReplay replay, long position) throws IOException {
        Counters counters = transaction.counters();
        counters.nextId = Math.max(counters.nextId, linked.newName() + 1);
        Namespace.Link hidden = at(linked.file());
        long length = linked.attributes().length();
        Optional<Namespace.Entry> known = replay.file(linked.file());
        if (known.isEmpty()) {
            addLost(hidden, linked);
            if (linked.firstName() != 0) {
                replaceByName(linked, replay, position);
            }
        } else if (!known.get().link().equals(hidden)) {
            hide(known.get().link(), known.get().inode());
            if (linked.firstName() != 0) {
                addName(known.get().link(), linked.firstName(), linked.file(), position, length);
            }
        }
        addName(freed(linked.name(), replay, position), linked.newName(), linked.file(), position, length);
    }

    /** Others may share its bytes, and have told of them before: then these come back, and not the file. */
    private void addLost(Namespace.Link at, JournalEntry.Linked linked) throws IOException {
        Inode missing = new Inode(
                linked.file(), linked.generation(), linked.attributes(), new Inode.Missing(), linked.extras());
        long length = linked.attributes().length();
        boolean isShared = transaction
                .contents()
                .get(linked.file())
                .filter(content -> content.generation() == linked.generation() && content.length() == length)
                .isPresent();
        if (isShared) {
            transaction.addMapped(at, missing.at(new Inode.Mapped(ReferenceMap.whole(linked.file(), length))));
        } else {
            transaction.add(at.parent(), at.name(), missing);
        }
    }

    /** A missing file gets its name; its claim, of which nobody else tells, may have overwritten what is there. */
    private void replaceByName(JournalEntry.Linked linked, JournalReplay replay, long position) throws IOException {
        Namespace.Found found = replay.makeWay(linked.path(), position);
        Optional<Inode> there = found.inode().filter(inode -> !inode.isDirectory());
        long length = linked.attributes().length();
        if (there.isPresent()) {
            Inode name = name(linked.firstName(), linked.file(), position, length);
            transaction.supersede(found.link(), there.get(), name);
            countName(linked.file());
        } else {
            addName(freed(linked.path(), replay, position), linked.firstName(), linked.file(), position, length);
        }
    }

    /** A place for a name; what is there is older, and makes way. */
    Namespace.Link freed(FilePath path, JournalReplay replay, long position) throws IOException {
        Namespace.Found found = replay.makeWay(path, position);
        if (found.inode().isPresent()) {
            replay.setAside(path, found);
        }
        return found.link();
    }
}
