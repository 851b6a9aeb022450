// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.recover;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.Outcome;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.Reclaim;
import io.packing.bdt.master.table.change.Counters;
import io.packing.bdt.master.table.change.Recoveries;
import io.packing.bdt.master.table.change.TableMemory;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.operation.CommitOperations;
import io.packing.bdt.master.table.operation.QuotaOperations;
import io.packing.bdt.master.table.operation.TreeReap;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.read.ResolvedPath;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalBytes;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapForm;
import io.packing.bdt.master.table.row.Recovered;
import io.packing.bdt.master.table.row.SessionId;
import io.packing.bdt.master.table.row.SessionRow;
import io.packing.bdt.master.table.row.StagedFile;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.blob.PackedFile;
import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Applies what a recovery staged, in the order of the log: claims by their generation, journal entries by their position.
 *
 * <p>A footer tells where its file was at the time of its claim, so replaying the journal leads to where it is now. The
 * journal may lack its last minute. Then a later claim may contradict what the replay has: it proves that the entry in
 * its way was moved or removed, and that entry is set aside under another name, never dropped.
 */
public final class RecoveryMerge {
    private static final int ROWS_PER_WRITE = 5_000;
    /** Files that are led through the history of earlier recoveries at a time. */
    private static final int LOST_AT_ONCE = 10_000;

    private final SortedStore store;
    private final WriteSet writes;
    private final Counters counters;
    private final Transaction transaction;
    private final CommitOperations commits;
    private final JournalReplay replay;
    private final Returns returns;
    /** The recoveries in the rows of the table and in its journal. */
    private final Recoveries recoveries;

    private final long backupPosition;
    private final TableMemory memory;
    private final long historyEndedAt;
    private final Map<Long, LostBefore> lostBefore = new LinkedHashMap<>();
    /** Files that came back at a later position than their generation. */
    private final Map<Long, Returning> returning = new HashMap<>();
    /** Files that came back at a later position than that of the backup. */
    private final Map<Long, LostBefore> away = new HashMap<>();

    private long committed;
    private long superseded;
    private long incomplete;

    /** A version that an earlier recovery had lost, and that its worker brought back after the backup. */
    private record LostBefore(LostTree.Lost lost, SessionRow owner, CommittedFile committed) {}

    /** A file that the journal names at its return. */
    private record Returning(Inode inode, CommittedFile committed) {}

    /**
     * Makes a merge into a table that has the rows of a backup.
     *
     * @param before recoveries after the backup
     * @param form which maps of files are in rows
     */
    public RecoveryMerge(SortedStore store, long nowMillis, long backupPosition, List<Recovered> before, MapForm form)
            throws IOException {
        this.store = store;
        this.writes = new WriteSet(store);
        this.memory = TableMemory.load(store, 10_000, form);
        this.counters = memory.counters();
        this.transaction = new Transaction(writes, memory, false);
        this.commits = new CommitOperations(transaction);
        this.backupPosition = backupPosition;
        this.returns = Returns.after(backupPosition, writes);
        this.replay = new JournalReplay(transaction, nowMillis, returns);
        Recoveries all = transaction.sessions().recoveries();
        for (Recovered each : before) {
            all = all.with(each);
        }
        this.recoveries = all;
        this.historyEndedAt = Recoveries.endedAt(writes);
    }

    /**
     * The numbers of staged files, by what became of them.
     *
     * @param committed that are in the table now
     * @param superseded that were deleted or overwritten
     * @param incomplete that are left out because bytes are missing
     * @param setAside that were in the way of something newer
     * @param shared of which other files have bytes
     * @param missing contents whose bytes are in no blob yet
     */
    public record Merged(long committed, long superseded, long incomplete, long setAside, long shared, long missing) {}

    /** Merges all that is staged. */
    public Merged run() throws IOException {
        List<StagedFile> version = new ArrayList<>();
        try (Cursor cursor = store.scan(Keys.kind(Keys.STAGED), Keys.kindEnd(Keys.STAGED))) {
            while (cursor.next()) {
                byte[] key = cursor.key();
                long position = Keys.number(key);
                long id = Keys.secondNumber(key);
                boolean same = !version.isEmpty()
                        && version.get(0).file().version().generation() == position
                        && version.get(0).file().version().id() == id;
                if (!same) {
                    mergeFile(version);
                    version.clear();
                }
                if (position > backupPosition || lostBefore.size() >= LOST_AT_ONCE) {
                    takeBackLost();
                }
                transaction.change().learnPosition(position);
                if (id != 0) {
                    version.add(StagedFile.decode(cursor.value()));
                } else if (position == 0) {
                    Bytes.In blob = new Bytes.In(cursor.value());
                    BlobName name = BlobName.parse(Keys.stagedBlob(key));
                    // Staged by a version of before, a blob has its length only.
                    transaction.blobs().pushed(new PushedBlob(name, blob.number(), blob.hasMore() ? blob.number() : 0));
                } else {
                    JournalEntry entry = JournalBytes.decode(cursor.value());
                    if (entry instanceof JournalEntry.Cloned || entry instanceof JournalEntry.Snapshotted) {
                        reapBefore();
                    } else if (entry instanceof JournalEntry.Kept kept) {
                        comeBack(kept, position);
                    }
                    replay.apply(entry, position);
                }
                transaction.change().learnId(id);
                writes.delete(key);
                flush(ROWS_PER_WRITE);
            }
        }
        mergeFile(version);
        takeBackLost();
        new QuotaOperations(transaction, Permissions.UNCHECKED).countAll();
        flush(0);
        return new Merged(committed, superseded, incomplete, replay.setAside(), replay.shared(), replay.missing());
    }

    /** Names in deleted trees are gone before a clone or a snapshot: it would count them for good. */
    private void reapBefore() throws IOException {
        while (TreeReap.step(transaction)) {
            flush(ROWS_PER_WRITE);
        }
    }

    /** Directories that the merge made because something is in them. */
    public List<JournalEntry.Remade> remade() {
        return transaction.journal().remade();
    }

    private void mergeFile(List<StagedFile> parts) throws IOException {
        if (parts.isEmpty()) {
            return;
        }
        PackedFile file = parts.get(0).file();
        Optional<List<BlobExtent>> extents = StagedFile.complete(parts);
        if (extents.isEmpty()) {
            incomplete++;
            return;
        }
        CommittedFile commit = new CommittedFile(file.version(), extents.get());
        boolean known = isKnown(file.version().id());
        if (!known && file.version().generation() <= backupPosition && wasLostBefore(parts, commit)) {
            return;
        }
        if (known || file.version().generation() <= backupPosition) {
            // The backup had the claim, or knew that it was over.
            count(commits.commit(commit));
            return;
        }
        FilePath path = pathAtGeneration(file);
        Inode inode = new Inode(
                file.version().id(),
                file.version().generation(),
                file.attributes(),
                new Inode.Buffered(new SessionId(parts.get(0).blob().worker(), 0), false));
        if (comesLater(file.version(), path)) {
            returning.put(file.version().id(), new Returning(inode, commit));
            return;
        }
        ResolvedPath found = replay.paths().makeWay(path, file.version().generation());
        if (found.inode().isPresent() && !found.inode().get().isDirectory()) {
            replay.paths().supersede(path, found, inode, file.version().generation());
        } else {
            if (found.inode().isPresent()) {
                replay.paths().setAside(path, found);
            }
            transaction.add(found.parent(), found.name(), inode);
        }
        count(commits.commit(commit));
    }

    /**
     * Returns the path that a file had at its generation. It is that of the file's claim, but for a file whose worker did not know the position
     * of the claim. Such a file got the position before its rename, and may have been moved with a directory since its claim.
     */
    private FilePath pathAtGeneration(PackedFile file) throws IOException {
        if (recoveries.lossesSince() == 0) {
            return file.path();
        }
        return writes.get(Keys.staged(file.version().generation() + 1, 0, ""))
                .map(JournalBytes::decode)
                .filter(next -> next instanceof JournalEntry.Renamed renamed
                        && renamed.id() == file.version().id())
                .map(next -> ((JournalEntry.Renamed) next).from())
                .orElse(file.path());
    }

    /**
     * Returns whether a file was not in the table at its generation, and came back later. The generation of a file without a claim's position
     * is the position of the recovery that lost the file.
     */
    private boolean comesLater(FileVersion version, FilePath path) throws IOException {
        OptionalLong kept = returns.next(version.id(), version.generation());
        if (kept.isEmpty() || !recoveries.isEndOfLoss(version.generation())) {
            return false;
        }
        // It may have been at its own path before a second recovery lost it again, unless another entry was there.
        boolean isLostTwice = isLostAgain(version.generation(), kept.getAsLong());
        ResolvedPath found = transaction.namespace().find(path);
        return !isLostTwice || found.inode().isPresent() || found.problem() == Outcome.NOT_A_DIRECTORY;
    }

    /** Returns whether a recovery between two positions may have lost files that had come back. */
    private boolean isLostAgain(long after, long before) {
        return recoveries.newestFirst().stream().anyMatch(each -> each.at() > after && each.at() < before);
    }

    /** Brings a file to the path at which it came back. */
    private void comeBack(JournalEntry.Kept kept, long position) throws IOException {
        LostBefore back = away.remove(kept.id());
        if (back != null) {
            new History(writes).followUntil(position, List.of(back.lost()));
            takeBack(back);
        }
        Returning file = returning.remove(kept.id());
        if (file == null) {
            return;
        }
        ResolvedPath found = replay.paths().makeWay(kept.path(), position);
        if (found.inode().isPresent()) {
            replay.paths().setAside(kept.path(), found);
        }
        transaction.add(found.parent(), found.name(), file.inode());
        count(commits.commit(file.committed()));
    }

    /** Returns whether the table has a file of this id, or a content that only other files have by now. */
    private boolean isKnown(long id) throws IOException {
        return transaction.namespace().link(id).isPresent()
                || transaction.contents().get(id).isPresent();
    }

    /** Returns whether the backup could not know a version, since it was made between an earlier recovery and its return. */
    private boolean wasLostBefore(List<StagedFile> parts, CommittedFile committed) {
        PackedFile file = parts.get(0).file();
        for (StagedFile part : parts) {
            String worker = part.blob().worker();
            if (worker.equals(BlobRow.COMPACTED)) {
                // The master's own: only what the table has is ever compacted.
                continue;
            }
            long floor = transaction.session(worker).map(SessionRow::floor).orElse(0L);
            Optional<Recovered> by = transaction.sessions().recoveries().thatMayHaveLost(file.version(), floor);
            if (by.isPresent() && by.get().at() > historyEndedAt) {
                Reclaim reclaim = new Reclaim(file.version(), file.path(), file.attributes());
                OptionalLong kept = returns.next(file.version().id(), backupPosition);
                boolean isAway = kept.isPresent() && !isLostAgain(backupPosition, kept.getAsLong());
                (isAway ? away : lostBefore)
                        .put(
                                file.version().id(),
                                new LostBefore(
                                        new LostTree.Lost(reclaim, by.get()),
                                        new SessionRow(new SessionId(worker, 0), "", floor, ""),
                                        committed));
                return true;
            }
        }
        return false;
    }

    private void takeBackLost() throws IOException {
        if (lostBefore.isEmpty()) {
            return;
        }
        new History(writes)
                .followUntil(
                        backupPosition,
                        lostBefore.values().stream().map(LostBefore::lost).toList());
        for (LostBefore each : lostBefore.values()) {
            takeBack(each);
        }
        lostBefore.clear();
    }

    private void takeBack(LostBefore back) throws IOException {
        count(new LostFiles(transaction, back.owner)
                        .takeBack(back.lost)
                        .filter(back.committed.version()::equals)
                        .isPresent()
                && commits.commit(back.committed));
    }

    private void count(boolean isCommitted) {
        committed += isCommitted ? 1 : 0;
        superseded += isCommitted ? 0 : 1;
    }

    private void flush(int atLeast) throws IOException {
        transaction.accept();
        if (writes.size() <= atLeast) {
            return;
        }
        writes.put(Counters.KEY, counters.encode());
        writes.accept();
        store.write(writes.toBatch(), SortedStore.Sync.NONE);
        memory.written(writes);
        transaction.written();
        transaction.begin();
    }
}
