package io.packing.bdt.master.table;

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
final class CloneLinks {
    private final Transaction transaction;
    private final Namespace namespace;

    CloneLinks(Transaction transaction) {
        this.transaction = transaction;
        this.namespace = transaction.namespace();
    }

    /**
     * The twin row of a file in a clone.
     *
     * @param below clones that the file is seen through before this one: a file may be several, each in another clone inside of the clone's origin
     */
    static Namespace.Link at(long clone, long file, List<Passage> below) {
        StringBuilder name = new StringBuilder().append(file);
        below.forEach(each -> name.append('.').append(each.cloneId()));
        return new Namespace.Link(directory(clone), name.toString());
    }

    /** Has the twin rows of a clone, and no row itself. */
    private static long directory(long clone) {
        return HardLinks.DIRECTORY - clone;
    }

    /** Whether the directory of the twin rows of a clone is known, or is being cleaned up. */
    static boolean isKept(Rows rows, long directory) throws IOException {
        long clone = HardLinks.DIRECTORY - directory;
        return rows.get(Keys.numbered(Keys.MEMBERS, clone)).isPresent()
                || rows.get(Keys.numbered(Keys.REAP, directory)).isPresent();
    }

    /** Whether a clone has, or had, files in the place of others. */
    boolean isUsed(long clone) throws IOException {
        long directory = directory(clone);
        boolean[] found = new boolean[1];
        for (byte[] from : List.of(Keys.entries(directory), Keys.pastOf(Keys.entries(directory)))) {
            byte[] to = Keys.entriesEnd(directory);
            transaction.rows().scan(from, from[0] == to[0] ? to : Keys.pastOf(to), (key, value) -> {
                found[0] = true;
                return false;
            });
        }
        return found[0];
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
            transaction.rows().put(Keys.numbered(Keys.REAP, directory(clone)), new byte[0]);
        }
    }

    /** How many names a file has that a clone gets for itself, all of which lead to it; 0: only this one does. */
    int names(View.Seen name, Inode file) {
        boolean hasClone = !name.passages().isEmpty() && last(name).isPresent();
        return name.inode().place() instanceof Inode.Linked
                        && hasClone
                        && file.extras().links() > 1
                ? file.extras().links()
                : 0;
    }

    private static Passage last(View.Seen name) {
        return name.passages().get(name.passages().size() - 1);
    }

    /** The twin row of the file that a name leads to below the clone that is seen last. */
    private Namespace.Link twin(View.Seen name) throws IOException {
        List<Passage> below = name.passages().subList(0, name.passages().size() - 1);
        View.Seen file = namespace.views().follow(new View.Seen(name.inode(), name.parent(), name.snapshot(), below));
        return at(last(name).cloneId(), file.inode().id(), file.passages());
    }

    /** A name becomes an entry of the clone when the clone has a file in the place of its file; empty: it has none. */
    Optional<Inode> join(FilePath path, Namespace.Link at, View.Seen name) throws IOException {
        if (!(name.inode().place() instanceof Inode.Linked)
                || name.passages().isEmpty()
                || !last(name).isPresent()) {
            return Optional.empty();
        }
        Namespace.Link twin = twin(name);
        Optional<Inode> there = namespace.entry(twin.parent(), twin.name());
        if (there.isEmpty() || !(there.get().place() instanceof Inode.Linked own)) {
            return Optional.empty();
        }
        long position = transaction.nextPosition();
        long id = transaction.counters().nextId++;
        Inode entry = addName(at, name, id, own.file(), position);
        new HardLinks(transaction).count(own.file(), 1);
        take(twin, there.get());
        transaction.journal(position, new JournalEntry.NameOwned(path, id, own.file(), twin.name(), 0, 0));
        return Optional.of(entry);
    }

    /** The clone has a file of its own, which counts all of its names; the first of them becomes an entry. */
    Inode add(FilePath path, Namespace.Link at, View.Seen name, Inode own) throws IOException {
        Namespace.Link row = twin(name);
        long position = transaction.nextPosition();
        long id = transaction.counters().nextId++;
        long twin = transaction.counters().nextId++;
        int others = own.extras().links() - 1;
        Inode entry = addName(at, name, id, own.id(), position);
        addTwin(row, twin, own.id(), others, position);
        transaction.journal(position, new JournalEntry.NameOwned(path, id, own.id(), row.name(), twin, others));
        return entry;
    }

    /** It counts for quotas as it did when the clone had it from its origin. */
    private Inode addName(Namespace.Link at, View.Seen name, long id, long file, long position) {
        Inode entry = new Inode(id, position, name.inode().attributes(), new Inode.Linked(file));
        transaction.inherit(at.parent(), at.name(), entry);
        return entry;
    }

    private void addTwin(Namespace.Link at, long id, long file, int names, long position) {
        Inode twin = new Inode(
                id,
                position,
                new FileAttributes(0, 0, "", "", 0),
                new Inode.Linked(file),
                Extras.NONE.withLinks(names));
        transaction.inherit(at.parent(), at.name(), twin);
    }

    /** One of the names that a twin row counts is an entry now. */
    private void take(Namespace.Link at, Inode twin) throws IOException {
        if (!(twin.place() instanceof Inode.Linked own)) {
            return;
        }
        int left = twin.extras().links() - 1;
        if (left > 0) {
            transaction.change(at, twin, twin.attributes(), twin.extras().withLinks(left));
            new HardLinks(transaction).count(own.file(), -1);
        } else {
            transaction.remove(at.parent(), at.name(), twin);
        }
    }

    /** A name becomes an entry of its clone again that a journal tells of. Of a file that is lost the clone shows what its origin has. */
    void replay(JournalEntry.NameOwned owned, JournalReplay replay, long position) throws IOException {
        Counters counters = transaction.counters();
        counters.nextId = Math.max(counters.nextId, Math.max(owned.name(), owned.twin()) + 1);
        HardLinks links = new HardLinks(transaction);
        Optional<Namespace.Entry> known = replay.file(owned.file());
        if (known.isEmpty()) {
            return;
        }
        long length = counted(owned.path(), known.get().inode().attributes().length());
        if (!known.get().link().equals(HardLinks.at(owned.file()))) {
            links.hide(known.get().link(), known.get().inode());
        }
        Namespace.Link at = links.freed(owned.path(), replay, position);
        links.addName(at, owned.name(), owned.file(), position, length);
        Optional<Origin> origin =
                namespace.linked(at.parent()).map(Namespace.Entry::inode).flatMap(Inode::origin);
        OptionalLong clone = origin.isPresent() ? origin.get().cloneId() : OptionalLong.empty();
        if (clone.isEmpty()) {
            return;
        }
        Namespace.Link twin = new Namespace.Link(directory(clone.getAsLong()), owned.row());
        Optional<Inode> there = namespace.entry(twin.parent(), twin.name());
        if (there.isPresent()) {
            take(twin, there.get());
        } else if (owned.others() > 0) {
            addTwin(twin, owned.twin(), owned.file(), owned.others(), position);
            links.count(owned.file(), owned.others());
        }
    }

    /** The length that a name of the origin counts, which is the length that the clone's name counts; without one there: that of the file. */
    private long counted(FilePath path, long ofFile) throws IOException {
        Optional<Inode> directory = path.parent().isEmpty()
                ? Optional.empty()
                : namespace.find(path.parent().get()).inode();
        Optional<View.Seen> name = directory.isEmpty()
                ? Optional.empty()
                : namespace.views().inherited(View.present(directory.get()), path.name());
        return name.map(View.Seen::inode)
                .filter(inode -> inode.place() instanceof Inode.Linked)
                .map(inode -> inode.attributes().length())
                .orElse(ofFile);
    }
}
