// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.recover;

import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.change.PastRows;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.operation.ClaimOperations;
import io.packing.bdt.master.table.operation.NamespaceOperations;
import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.bdt.master.table.row.SessionRow;
import io.packing.blob.BlobName;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes files back that a recovery lost and a worker still has. One that meets something newer than itself at its path is
 * kept beside it, unless that overwrote it. Confined to the writer thread.
 */
final class LostFiles {
    private static final Logger LOG = LoggerFactory.getLogger(LostFiles.class);
    /** A second try takes a user who names files like ours on purpose. */
    private static final int TRIES = 8;

    /** The age of a lost file, compared with the one at its path. */
    private enum Order {
        OLDER,
        NEWER,
        UNKNOWN
    }

    private final Transaction transaction;
    private final SessionRow session;
    private final NamespaceOperations directories;
    /** Files that the journal keeps at a path, of this mutation; those of earlier ones are read when they are asked for. */
    private final Set<Long> keptNow = new HashSet<>();

    private Optional<Returns> keptBefore = Optional.empty();

    LostFiles(Transaction transaction, SessionRow session) {
        this.transaction = transaction;
        this.session = session;
        this.directories = new NamespaceOperations(transaction);
    }

    /** The version to keep; empty when it is over. */
    Optional<FileVersion> takeBack(LostTree.Lost lost) throws IOException {
        Optional<FileVersion> named = nameAndShow(lost);
        return named.isPresent() || !showInSnapshots(lost) ? named : Optional.of(version(lost));
    }

    /** A file whose content is known gets its names back, as far as it still has them. */
    void giveNames(LostTree.Lost lost) throws IOException {
        Optional<FileVersion> named = nameAndShow(lost);
        boolean shown = named.isEmpty() && showInSnapshots(lost);
        LOG.debug("content {} has a name again: {}, in snapshots: {}", lost.id(), named.isPresent(), shown);
    }

    private static FileVersion version(LostTree.Lost lost) {
        return new FileVersion(lost.id(), lost.generation());
    }

    private Optional<FileVersion> nameAndShow(LostTree.Lost lost) throws IOException {
        Optional<FileVersion> named = name(lost);
        // One that waits for its bytes was not shown by any snapshot yet.
        if (named.isPresent() && !lost.file().deferred()) {
            replaceInSnapshots(lost);
        }
        return named;
    }

    /**
     * Removes older files from snapshots that saw this one in their place. Such a file had been overwritten before the snapshot, but its end
     * is in the journal after the snapshot: when it came back first, it was shown there.
     */
    private void replaceInSnapshots(LostTree.Lost lost) throws IOException {
        for (LostTree.Seen seen : lost.seen()) {
            ResolvedPath found = transaction.past().entries().find(seen.snapshot(), seen.names());
            Optional<Inode> shown = found.problem() == Outcome.DONE ? found.inode() : Optional.empty();
            if (shown.isPresent() && order(lost, shown.get()) == Order.NEWER) {
                Optional<Namespace.Entry> named = transaction.namespace().linked(lost.id());
                if (named.isPresent()) {
                    Inode unused =
                            transaction.share(named.get().link(), named.get().inode());
                }
                show(lost, new EntryLink(found.parent(), found.name()), seen);
            }
        }
    }

    private Optional<FileVersion> name(LostTree.Lost lost) throws IOException {
        Optional<FilePath> path = lost.path();
        if (path.isEmpty()) {
            return Optional.empty();
        }
        FilePath at = path.get();
        for (int i = 0; i < TRIES; i++) {
            ResolvedPath found = way(at, lost);
            if (found.problem() == Outcome.NOT_A_DIRECTORY) {
                at = RecoveredNames.below(at, fileAbove(at), lost.recovery().at());
                continue;
            }
            Optional<Inode> there = found.inode();
            Order order = there.isPresent() ? order(lost, there.get()) : Order.NEWER;
            if (order == Order.OLDER) {
                return Optional.empty();
            }
            if (order == Order.NEWER) {
                // Only now: what a clone makes its own is newer than any lost file.
                ResolvedPath own = transaction.toChange(at);
                FileVersion kept = add(own, lost);
                boolean hasOriginal = there.isPresent() && !found.isPresent();
                boolean isOutOfOrder =
                        there.isPresent() && (isClaimedAfter(lost, there.get()) || isOutOfOrder(there.get(), lost));
                if (hasOriginal || isOutOfOrder) {
                    endReplaced(own.inode().orElseThrow(), lost);
                }
                // A later recovery may not know of this one, or of the worker's earlier file, and would lead the file
                // elsewhere.
                if (hasOriginal || isOutOfOrder || !at.equals(lost.file().path())) {

                    transaction.change().journal(new JournalEntry.Kept(at, lost.id()));
                    keptNow.add(lost.id());
                }
                return Optional.of(kept);
            }
            LOG.warn("{} comes back after a recovery and meets something else: it is kept beside it", at);
            at = RecoveredNames.file(at, lost.id());
        }
        LOG.error("{} comes back and finds no free name near {}: refused", path.get(), at);
        return Optional.empty();
    }

    /**
     * Returns whether a replay by positions would put a file over the lost one that replaces it: it has no claim's position, or it has the path of
     * such a file.
     */
    private boolean isOutOfOrder(Inode there, LostTree.Lost lost) throws IOException {
        if (!isDated(there.generation()) || keptNow.contains(there.id())) {
            return true;
        }
        if (keptBefore.isEmpty()) {
            keptBefore = Optional.of(Returns.after(lost.recovery().at(), transaction.rows()));
        }
        return keptBefore.get().next(there.id(), lost.recovery().at()).isPresent();
    }

    /**
     * Ends the file that a lost one replaces, when a replay would take it for the newer one: its position is later than that of the lost file's
     * claim. It is the file that a clone had from its origin, and that became the clone's own only to be replaced, or a file without
     * a claim's position.
     */
    private void endReplaced(Inode replaced, LostTree.Lost lost) throws IOException {
        boolean isAlone = !(replaced.place() instanceof Inode.Linked);
        if (isAlone && !lost.file().deferred()) {
            transaction.change().journal(new JournalEntry.Ended(List.of(replaced.id()), false));
        }
    }

    /**
     * Shows a file in the snapshots that saw it, although the file itself is over. A file that was deleted by its own name is in the
     * journal for that, but not one that went with a directory.
     *
     * @return whether any snapshot shows it now
     */
    private boolean showInSnapshots(LostTree.Lost lost) throws IOException {
        PastRows past = transaction.past();
        boolean shown = false;
        for (int i = lost.seen().size() - 1; i >= 0; i--) {
            LostTree.Seen seen = lost.seen().get(i);
            ResolvedPath found = past.entries().find(seen.snapshot(), seen.names());
            boolean isNewer = found.problem() == Outcome.DONE
                    && (found.inode().isEmpty() || order(lost, found.inode().get()) == Order.NEWER);
            if (isNewer) {
                show(lost, new EntryLink(found.parent(), found.name()), seen);
                shown = true;
            }
        }
        return shown;
    }

    private void show(LostTree.Lost lost, EntryLink at, LostTree.Seen seen) throws IOException {
        FileAttributes attributes = seen.attributes();
        if (attributes.length() > 0 && transaction.contents().get(lost.id()).isEmpty()) {
            Inode.Place place = new Inode.Buffered(session.id(), lost.file().deferred());
            transaction.contents().add(new Content(lost.id(), lost.generation(), attributes.length(), place));
        }
        ReferenceMap map = ReferenceMap.whole(lost.id(), attributes.length());
        Inode was = new Inode(lost.id(), lost.generation(), attributes, new Inode.Mapped(map), seen.extras());
        transaction.past().comeBack(at, seen.snapshot().position(), was, map);
    }

    private FileVersion add(ResolvedPath found, LostTree.Lost lost) throws IOException {
        boolean deferred = lost.file().deferred();
        Inode inode = new Inode(
                lost.id(),
                lost.generation(),
                lost.attributes(),
                new Inode.Buffered(session.id(), deferred),
                lost.extras());
        Optional<Inode> there = found.inode();
        EntryLink at = new EntryLink(found.parent(), found.name());
        if (there.isPresent()) {
            transaction.replaces();
        }
        if (transaction.contents().get(lost.id()).isPresent()) {
            ReferenceMap map = ReferenceMap.whole(inode.id(), inode.attributes().length());
            if (there.isPresent()) {
                transaction.supersede(at, there.get(), inode.at(new Inode.Mapped(map)), inode.generation());
            } else {
                transaction.addMapped(at, inode.at(new Inode.Mapped(map)));
            }
        } else if (there.isEmpty()) {
            transaction.add(found.parent(), found.name(), inode);
        } else if (deferred) {
            transaction.addWaiting(at, inode);
        } else {
            transaction.supersede(at, there.get(), inode, inode.generation());
        }
        return inode.version();
    }

    private ResolvedPath way(FilePath path, LostTree.Lost lost) throws IOException {
        ResolvedPath found = transaction.namespace().find(path);
        if (found.problem() != Outcome.NO_PARENT) {
            return found;
        }
        transaction.toChange(path);
        // Away from its own path a file comes to a place that it had at no earlier time.
        OptionalLong since =
                path.equals(lost.file().path()) ? OptionalLong.of(lost.generation()) : OptionalLong.empty();
        Outcome made = directories.makeParents(
                path,
                ClaimOperations.impliedDirectory(lost.file().attributes()),
                lost.file().attributes().mtimeMillis(),
                true,
                since);
        if (made != Outcome.DONE) {
            throw new IOException("%s: no way could be made: %s".formatted(path, made));
        }
        return transaction.namespace().find(path);
    }

    private FilePath fileAbove(FilePath path) throws IOException {
        for (Optional<FilePath> up = path.parent();
                up.isPresent();
                up = up.get().parent()) {
            Optional<Inode> there = transaction.namespace().find(up.get()).inode();
            if (there.isPresent() && !there.get().isDirectory()) {
                return up.get();
            }
        }
        throw new IOException("%s: no file is above it".formatted(path));
    }

    private Order order(LostTree.Lost lost, Inode there) throws IOException {
        if (there.isDirectory()) {
            return Order.UNKNOWN;
        }
        if (lost.keptAt() > there.generation()) {
            return Order.NEWER;
        }
        if (there.generation() > lost.recovery().at()) {
            return Order.OLDER;
        }
        if (isDated(lost.file().version().generation()) && isDated(there.generation())) {
            return lost.generation() > there.generation() ? Order.NEWER : Order.OLDER;
        }
        if (isClaimedAfter(lost, there)) {
            return Order.NEWER;
        }
        // A worker's ids grow; two workers' do not compare.
        if (worker(there).equals(Optional.of(session.worker()))) {
            return lost.id() > there.id() ? Order.NEWER : Order.OLDER;
        }
        return Order.UNKNOWN;
    }

    /** Returns whether an earlier file of its worker tells that a lost file is newer than the one at its path. */
    private boolean isClaimedAfter(LostTree.Lost lost, Inode there) {
        return isDated(there.generation()) && lost.claimedAfter() > there.generation();
    }

    /** Returns whether a generation is the position of a claim, and not that of the recovery before which the claim was lost. */
    private boolean isDated(long generation) {
        return generation > 0 && !transaction.sessions().recoveries().isEndOfLoss(generation);
    }

    private Optional<String> worker(Inode inode) throws IOException {
        if (inode.place() instanceof Inode.Buffered buffered) {
            return Optional.of(buffered.worker());
        }
        List<Inode.StoredExtent> extents = inode.place() instanceof Inode.Packed packed ? packed.extents() : List.of();
        if (extents.isEmpty()) {
            return Optional.empty();
        }
        BlobName blob =
                transaction.namespace().placements().blob(extents.get(0).blob()).name();
        return Optional.of(blob.worker());
    }
}
