// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.HistoryName;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.change.PastRows;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.change.TreeClones;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Snapshot;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The mutations of a mount's snapshots: each changes one row, whatever is below the directory. Confined to the writer thread. */
public final class SnapshotOperations {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotOperations.class);

    private final Transaction transaction;
    private final PastRows past;
    private final Permissions permissions;

    /** Makes the mutations of a caller that may do everything. */
    public SnapshotOperations(Transaction transaction) {
        this(transaction, Permissions.UNCHECKED);
    }

    public SnapshotOperations(Transaction transaction, Permissions permissions) {
        this.transaction = transaction;
        this.permissions = permissions;
        this.past = transaction.past();
    }

    /** A directory whose snapshots are asked for, or why there is none. */
    private record Snapshotted(Outcome problem, Optional<Inode> inode) {
        long directory() {
            return inode.map(Inode::id).orElse(0L);
        }
    }

    /**
     * Refuses a name of the form that a master gives to the states of a history. A state may get another name, and stays then.
     *
     * @throws IllegalArgumentException naming another form
     */
    static void checkName(String name) {
        if (HistoryName.isOne(name)) {
            throw new IllegalArgumentException(
                    "a snapshot cannot have the name %s: names like it are those of packing.history.paths; begin it with other letters than at-"
                            .formatted(name));
        }
    }

    Outcome take(Operation.TakeSnapshot take, long nowMillis) throws IOException {
        Snapshotted target = directory(take.directory());
        if (target.problem() != Outcome.DONE) {
            return target.problem();
        }
        if (past.sight().named(target.directory(), take.name()).isPresent()) {
            return Outcome.EXISTS;
        }
        long position = transaction.change().nextPosition();
        long nextId = transaction.change().freeId();
        put(new Snapshot(target.directory(), position, take.name(), nextId, nowMillis, false, target.inode()));
        transaction
                .change()
                .journal(position, new JournalEntry.Snapshotted(take.directory(), take.name(), nextId, nowMillis));
        return Outcome.DONE;
    }

    /** Takes a snapshot again, by its journal entry. */
    public void replay(JournalEntry.Snapshotted taken, long position) throws IOException {
        Snapshotted target = directory(taken.path());
        if (target.problem() != Outcome.DONE) {
            LOG.error(
                    "the snapshot {} of {} cannot be taken again: {}. What it saw is lost",
                    taken.name(),
                    taken.path(),
                    target.problem());
            return;
        }
        put(new Snapshot(
                target.directory(),
                position,
                taken.name(),
                taken.nextId(),
                taken.takenMillis(),
                false,
                target.inode()));
    }

    public Outcome rename(Operation.RenameSnapshot rename) throws IOException {
        Snapshotted target = directory(rename.directory());
        if (target.problem() != Outcome.DONE) {
            return target.problem();
        }
        Optional<Snapshot> snapshot = past.sight().named(target.directory(), rename.from());
        if (snapshot.isEmpty()) {
            return Outcome.NOT_FOUND;
        }
        if (past.sight().named(target.directory(), rename.to()).isPresent()) {
            return Outcome.EXISTS;
        }
        put(snapshot.get().named(rename.to()));
        transaction.change().journal(new JournalEntry.SnapshotRenamed(rename.directory(), rename.from(), rename.to()));
        return Outcome.DONE;
    }

    public Outcome drop(Operation.DropSnapshot drop) throws IOException {
        Snapshotted target = directory(drop.directory());
        if (target.problem() != Outcome.DONE) {
            return target.problem();
        }
        Optional<Snapshot> snapshot = past.sight().named(target.directory(), drop.name());
        if (snapshot.isEmpty()) {
            return Outcome.NOT_FOUND;
        }
        boolean isUsed = new TreeClones(transaction)
                .isUsed(target.directory(), snapshot.get().position());
        put(isUsed ? snapshot.get().named("") : snapshot.get().drop());
        transaction.change().journal(new JournalEntry.SnapshotDropped(drop.directory(), drop.name()));
        return Outcome.DONE;
    }

    private void put(Snapshot snapshot) throws IOException {
        past.sight().put(snapshot);
    }

    private Snapshotted directory(FilePath path) throws IOException {
        PathChecks.checkPresent(path);
        ResolvedPath found = transaction
                .toChange(permissions.reach(transaction.namespace(), path))
                .found();
        if (found.inode().isEmpty()) {
            return new Snapshotted(found.whyAbsent(), Optional.empty());
        }
        Inode inode = found.inode().get();
        permissions.own(path, inode);
        return new Snapshotted(inode.isDirectory() ? Outcome.DONE : Outcome.NOT_A_DIRECTORY, found.inode());
    }
}
