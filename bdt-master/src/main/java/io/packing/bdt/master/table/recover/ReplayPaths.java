// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.recover;

import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.change.TreeClones;
import io.packing.bdt.master.table.operation.NamespaceOperations;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.row.Inode;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The paths to which a replay brings entries. It makes the directories above them that the table lacks, and sets older entries aside that
 * are in the way. Confined to one thread.
 */
final class ReplayPaths {
    /** Attributes of a directory that is known only by its entries. */
    static final DirectoryAttributes UNKNOWN = new DirectoryAttributes("", "", 0755);

    private static final Logger LOG = LoggerFactory.getLogger(ReplayPaths.class);

    private final Transaction transaction;
    private final NamespaceOperations directories;
    private final TreeClones clones;
    private final long nowMillis;
    private final Returns returns;
    /** Files that footers have although they are over: their workers pushed them before they heard of it. */
    private final Set<Long> over = new HashSet<>();

    private long setAside;

    ReplayPaths(Transaction transaction, NamespaceOperations directories, long nowMillis, Returns returns) {
        this.returns = returns;
        this.transaction = transaction;
        this.directories = directories;
        this.clones = new TreeClones(transaction);
        this.nowMillis = nowMillis;
    }

    /** Returns the number of entries that were set aside. */
    long setAside() {
        return setAside;
    }

    /** Notes that a file is over: nothing of it is set aside. */
    void isOver(long file) {
        over.add(file);
    }

    /** The file of an id that is there, wherever it is. */
    Optional<Namespace.Entry> file(long id) throws IOException {
        return transaction
                .namespace()
                .linked(id)
                .filter(entry -> !entry.waiting() && !entry.inode().isDirectory());
    }

    /**
     * Makes the directories above a path, as of a position; a file in the place of one is set aside. If a clone has a directory of its origin
     * at the path, that becomes the clone's own, and keeps its entries. The clone's journal was unread when this entry was journaled: then
     * the path was free.
     */
    ResolvedPath makeWay(FilePath path, long position) throws IOException {
        return own(path, makeParents(path, position), false);
    }

    /** Makes the directories above a path for an entry that sets others aside, also a file that a clone has there from its origin. */
    ResolvedPath makeWayAside(FilePath path, long position) throws IOException {
        return own(path, makeParents(path, position), true);
    }

    private ResolvedPath own(FilePath path, ResolvedPath found, boolean withFiles) throws IOException {
        if (found.problem() != Outcome.DONE
                || found.inode().isPresent()
                || !transaction.past().hasClones()) {
            return found;
        }
        Optional<Inode> shown = transaction.namespace().find(path).inode();
        return shown.filter(each -> withFiles || each.isDirectory()).isPresent() ? transaction.toChange(path) : found;
    }

    private ResolvedPath makeParents(FilePath path, long position) throws IOException {
        ResolvedPath found = clones.toReplace(path);
        for (int i = 0; found.problem() == Outcome.NOT_A_DIRECTORY; i++) {
            setAsideFileAbove(path);
            found = clones.toReplace(path);
            if (i > 1) {
                throw new IOException("%s: no way could be made".formatted(path));
            }
        }
        if (found.problem() == Outcome.NO_PARENT) {
            Outcome made = directories.makeParents(path, UNKNOWN, nowMillis, true, OptionalLong.of(position));
            if (made != Outcome.DONE) {
                throw new IOException("%s: no way could be made: %s".formatted(path, made));
            }
            found = clones.toReplace(path);
        }
        return found;
    }

    private void setAsideFileAbove(FilePath path) throws IOException {
        for (Optional<FilePath> up = path.parent();
                up.isPresent();
                up = up.get().parent()) {
            ResolvedPath found = transaction.toChange(up.get());
            if (found.inode().isPresent() && !found.inode().get().isDirectory()) {
                setAside(up.get(), found);
                return;
            }
        }
    }

    /**
     * Puts a newer file in the place of another one, as of a position. A file that comes back later is not over: it was not in the table
     * when the newer one came, and makes way for that.
     */
    void supersede(FilePath path, ResolvedPath found, Inode newer, long position) throws IOException {
        Inode there = found.inode().orElseThrow();
        if (returns.next(fileOf(there), position).isEmpty()) {
            transaction.supersede(found.link(), there, newer);
            return;
        }
        setAside(path, found);
        if (newer.place() instanceof Inode.Mapped) {
            transaction.addMapped(found.link(), newer);
        } else {
            transaction.add(found.parent(), found.name(), newer);
        }
    }

    /** Removes a file that a newer one had replaced before a position. One that comes back later is set aside, as by {@link #supersede}. */
    void replaced(FilePath path, ResolvedPath found, long position) throws IOException {
        Inode there = found.inode().orElseThrow();
        if (returns.next(fileOf(there), position).isEmpty()) {
            transaction.remove(found.parent(), found.name(), there);
        } else {
            setAside(path, found);
        }
    }

    private static long fileOf(Inode entry) {
        return entry.place() instanceof Inode.Linked name ? name.file() : entry.id();
    }

    /** Moves the entry at a path out of the way of a newer one. It keeps a name unless it is over. */
    void setAside(FilePath path, ResolvedPath found) throws IOException {
        Inode inode = found.inode().orElseThrow();
        if (over.contains(fileOf(inode))) {
            transaction.remove(found.parent(), found.name(), inode);
            return;
        }
        String name = RecoveredNames.name(found.name(), inode.id());
        transaction.move(found.parent(), found.name(), found.parent(), name, inode);
        setAside++;
        LOG.warn("{} is in the way of something newer and becomes {}", path, name);
    }
}
