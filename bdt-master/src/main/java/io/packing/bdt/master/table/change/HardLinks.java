// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.HiddenDirectories;
import io.packing.bdt.master.table.row.Inode;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;

/**
 * Files with several names (RFC 0009). Such a file is an entry of a hidden directory, called by its id, and counts its names;
 * each name is an entry that leads to it. A file that never had a second name is an entry itself, and knows nothing of this. Confined to
 * the writer thread.
 */
public final class HardLinks {
    private final Transaction transaction;
    private final Namespace namespace;

    public HardLinks(Transaction transaction) {
        this.transaction = transaction;
        this.namespace = transaction.namespace();
    }

    /** Moves a file that gets its second name to where it has none. */
    public void hide(EntryLink from, Inode file) throws IOException {
        EntryLink to = HiddenDirectories.file(file.id());
        // What waits to replace the file goes on waiting at the name.
        transaction.relink(from.parent(), from.name(), to.parent(), to.name(), file);
    }

    /**
     * Gives a file a name.
     *
     * @param length that the name counts for quotas
     */
    public void addName(EntryLink at, long id, long file, long position, long length) throws IOException {
        transaction.add(at.parent(), at.name(), name(id, file, position, length));
        countName(file);
    }

    public static Inode name(long id, long file, long position, long length) {
        return new Inode(id, position, attributes(length), new Inode.Linked(file));
    }

    /** Returns the attributes of a name: only its bytes count, for quotas. */
    private static FileAttributes attributes(long length) {
        return new FileAttributes(length, 0, "", "", 0);
    }

    /** A file has another length by one of its names: from now on that name counts it. In a replay the name may be another file's. */
    public static void resized(Transaction transaction, FilePath name, long file, long length) throws IOException {
        ResolvedPath found = transaction.namespace().find(name);
        Optional<Inode> entry =
                found.inode().filter(inode -> inode.place() instanceof Inode.Linked linked && linked.file() == file);
        if (entry.isPresent() && entry.get().attributes().length() != length) {
            long before = entry.get().attributes().length();
            transaction.setAttributes(
                    found.link(), entry.get(), attributes(length), entry.get().extras());
            transaction.quotas().grew(found.parent(), length - before);
        }
    }

    public void countName(long file) throws IOException {
        count(file, 1);
    }

    /** A file has so many names more; less than none: fewer. */
    public void count(long file, int more) throws IOException {
        count(
                hidden(file).orElseThrow(() -> new IOException("a name of file %d, which is gone".formatted(file))),
                more);
    }

    private void count(Inode hidden, int more) throws IOException {
        int links = Math.addExact(hidden.extras().links(), more);
        transaction.setAttributes(
                HiddenDirectories.file(hidden.id()),
                hidden,
                hidden.attributes(),
                hidden.extras().withLinks(links));
    }

    public Optional<Inode> hidden(long file) throws IOException {
        EntryLink at = HiddenDirectories.file(file);
        return namespace.entry(at.parent(), at.name());
    }

    /** Takes a name off that has gone. With its last name the file goes. */
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
            EntryLink at = HiddenDirectories.file(file);
            transaction.remove(at.parent(), at.name(), hidden.get());
        }
    }
}
