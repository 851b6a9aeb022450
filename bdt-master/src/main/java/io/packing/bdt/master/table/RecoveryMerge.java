package io.packing.bdt.master.table;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.Reclaim;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.blob.PackedFile;
import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies what a recovery staged, in the order of the log: claims by their generation, journal entries by their position.
 *
 * <p>A footer tells where its file was at the time of its claim, so replaying the journal leads to where it is now. The
 * journal may lack its last minute. Then a later claim may contradict what the replay has: it proves that the entry in
 * its way was moved or removed, and that entry is set aside under another name, never dropped.
 */
public final class RecoveryMerge {
    private static final Logger LOG = LoggerFactory.getLogger(RecoveryMerge.class);
    private static final int ROWS_PER_WRITE = 5_000;
    /** Files that are led through the history of earlier recoveries at a time. */
    private static final int LOST_AT_ONCE = 10_000;

    private final SortedStore store;
    private final long nowMillis;
    private final WriteSet writes;
    private final Counters counters;
    private final Transaction transaction;
    private final NamespaceOperations directories;
    private final ClaimOperations claims;
    private final SnapshotOperations snapshots;
    private final TableMemory memory;
    private final long historyEndedAt;
    private final Map<Long, LostBefore> lostBefore = new LinkedHashMap<>();
    private long committed;
    private long superseded;
    private long incomplete;
    private long setAside;
    private long shared;
    private long missing;

    /** A version that an earlier recovery had lost, and that its worker brought back after the backup. */
    private record LostBefore(LostTree.Lost lost, SessionRow owner, CommittedFile committed) {}

    public RecoveryMerge(SortedStore store, long nowMillis) throws IOException {
        this.store = store;
        this.nowMillis = nowMillis;
        this.writes = new WriteSet(store);
        this.memory = TableMemory.load(store, 10_000);
        this.counters = memory.counters();
        this.transaction = new Transaction(writes, memory, false);
        this.directories = new NamespaceOperations(transaction);
        this.claims = new ClaimOperations(transaction, directories);
        this.snapshots = new SnapshotOperations(transaction);
        this.historyEndedAt = History.endedAt(writes);
    }

    /**
     * What became of the files that were staged.
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
    public Merged run(long backupPosition) throws IOException {
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
                    mergeFile(version, backupPosition);
                    version.clear();
                }
                if (position > backupPosition || lostBefore.size() >= LOST_AT_ONCE) {
                    takeBackLost(backupPosition);
                }
                if (id != 0) {
                    version.add(StagedFile.decode(cursor.value()));
                } else if (position == 0) {
                    transaction
                            .blobs()
                            .pushed(BlobName.parse(Keys.stagedBlob(key)), new Bytes.In(cursor.value()).number(), true);
                } else {
                    mergeJournal(JournalEntry.decode(cursor.value()), position);
                }
                counters.position = Math.max(counters.position, position);
                counters.nextId = Math.max(counters.nextId, id + 1);
                writes.delete(key);
                flush(ROWS_PER_WRITE);
            }
        }
        mergeFile(version, backupPosition);
        takeBackLost(backupPosition);
        flush(0);
        return new Merged(committed, superseded, incomplete, setAside, shared, missing);
    }

    private void mergeFile(List<StagedFile> parts, long backupPosition) throws IOException {
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
        boolean known = transaction.namespace().link(file.version().id()).isPresent();
        if (!known && file.version().generation() <= backupPosition && wasLostBefore(parts, commit)) {
            return;
        }
        if (known || file.version().generation() <= backupPosition) {
            // The backup had the claim, or knew that it was over.
            count(claims.commit(commit));
            return;
        }
        FilePath path = file.path();
        Namespace.Found found = makeWay(path);
        Inode inode = new Inode(
                file.version().id(),
                file.version().generation(),
                file.attributes(),
                new Inode.Buffered(new SessionId(parts.get(0).blob().worker(), 0), false));
        if (found.inode().isPresent() && !found.inode().get().isDirectory()) {
            transaction.supersede(
                    new Namespace.Link(found.parent(), found.name()),
                    found.inode().get(),
                    inode);
        } else {
            if (found.inode().isPresent()) {
                setAside(path, found);
            }
            transaction.add(found.parent(), found.name(), inode);
        }
        count(claims.commit(commit));
    }

    /** Whether the backup could not know of a version, since it was made between an earlier recovery and its return. */
    private boolean wasLostBefore(List<StagedFile> parts, CommittedFile committed) {
        PackedFile file = parts.get(0).file();
        for (StagedFile part : parts) {
            String worker = part.blob().worker();
            long floor = transaction.session(worker).map(SessionRow::floor).orElse(0L);
            Optional<Recoveries.Recovered> by = transaction.recoveries().thatMayHaveLost(file.version(), floor);
            if (by.isPresent() && by.get().at() > historyEndedAt) {
                Reclaim reclaim = new Reclaim(file.version(), file.path(), file.attributes());
                lostBefore.put(
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

    private void takeBackLost(long backupPosition) throws IOException {
        if (lostBefore.isEmpty()) {
            return;
        }
        new History(writes, transaction.recoveries().newestAt())
                .followUntil(
                        backupPosition,
                        lostBefore.values().stream().map(LostBefore::lost).toList());
        for (LostBefore each : lostBefore.values()) {
            count(new LostFiles(transaction, each.owner)
                            .takeBack(each.lost)
                            .filter(each.committed.version()::equals)
                            .isPresent()
                    && claims.commit(each.committed));
        }
        lostBefore.clear();
    }

    private void count(boolean isCommitted) {
        committed += isCommitted ? 1 : 0;
        superseded += isCommitted ? 0 : 1;
    }

    private void mergeJournal(JournalEntry entry, long position) throws IOException {
        if (entry instanceof JournalEntry.Deleted deleted) {
            replayed(directories.delete(deleted.path(), true), Outcome.NOT_EMPTY, entry);
        } else if (entry instanceof JournalEntry.Renamed renamed) {
            rename(renamed);
        } else if (entry instanceof JournalEntry.Kept kept) {
            keep(kept);
        } else if (entry instanceof JournalEntry.Mapped mapped) {
            map(mapped, position);
        } else if (entry instanceof JournalEntry.Snapshotted taken) {
            snapshots.replay(taken, position);
        } else if (entry instanceof JournalEntry.SnapshotRenamed renamed) {
            replayed(
                    snapshots.rename(new Operation.RenameSnapshot(renamed.path(), renamed.from(), renamed.to())),
                    Outcome.EXISTS,
                    entry);
        } else if (entry instanceof JournalEntry.SnapshotDropped dropped) {
            replayed(snapshots.drop(new Operation.DropSnapshot(dropped.path(), dropped.name())), Outcome.EXISTS, entry);
        } else if (entry instanceof JournalEntry.Held held) {
            hold(held);
        } else if (entry instanceof JournalEntry.Made made) {
            make(made);
        } else if (entry instanceof JournalEntry.Changed changed) {
            replayed(directories.setAttributes(changed.path(), changed.change()), Outcome.EXISTS, entry);
        }
    }

    /** What was replayed may meet nothing any more, but never this. */
    private static void replayed(Outcome outcome, Outcome never, JournalEntry entry) throws IOException {
        if (outcome == never) {
            throw new IOException("the journal's %s meets %s: this is a defect".formatted(entry, outcome));
        }
    }

    private void make(JournalEntry.Made made) throws IOException {
        counters.nextId = Math.max(counters.nextId, made.id() + 1);
        if (directoryAt(made.path())) {
            return;
        }
        Deque<FilePath> paths = new ArrayDeque<>();
        for (Optional<FilePath> up = Optional.of(made.path()); paths.size() < made.levels(); ) {
            FilePath path = up.orElseThrow(() -> new IOException("the journal makes more directories than " + made));
            paths.push(path);
            up = path.parent();
        }
        long id = made.id() - paths.size();
        for (FilePath path : paths) {
            id++;
            Namespace.Found found = makeWay(path);
            if (found.inode().isPresent() && found.inode().get().isDirectory()) {
                continue;
            }
            if (found.inode().isPresent()) {
                setAside(path, found);
            }
            directories.make(
                    path, found.parent(), found.name(), id, made.attributes(), made.mtimeMillis(), made.implied());
        }
    }

    /** Contents of which nothing else is known are missing until their workers come back with them. */
    private void map(JournalEntry.Mapped mapped, long position) throws IOException {
        for (JournalEntry.Source source : mapped.contents()) {
            ensure(source);
        }
        Optional<Namespace.Entry> known = file(mapped.id());
        if (known.isPresent()) {
            Namespace.Link at = known.get().link();
            Inode before = transaction.share(at, known.get().inode());
            Inode after = transaction.remap(at, before, position, mapped.attributes(), mapped.map());
            counters.nextId = Math.max(counters.nextId, after.id() + 1);
            return;
        }
        Namespace.Found found = makeWay(mapped.path());
        Namespace.Link at = new Namespace.Link(found.parent(), found.name());
        if (found.inode().isPresent() && !found.inode().get().isDirectory()) {
            // A claim overwrote it whose own bytes nobody needs any more.
            transaction.remove(at.parent(), at.name(), found.inode().get());
        } else if (found.inode().isPresent()) {
            setAside(mapped.path(), found);
        }
        transaction.addMapped(at, mapped.id(), position, mapped.attributes(), mapped.map());
        counters.nextId = Math.max(counters.nextId, mapped.id() + 1);
    }

    /**
     * A snapshot sees a file of which the replay may know nothing: no footer has it. What the replay has in its place is older,
     * and stays what the snapshots before it see.
     */
    private void hold(JournalEntry.Held held) throws IOException {
        Namespace.Link at = new Namespace.Link(held.parent(), held.name());
        Past past = transaction.past();
        for (JournalEntry.Source source : held.contents()) {
            ensure(source);
        }
        Inode was = new Inode(held.id(), held.generation(), held.attributes(), new Inode.Mapped(held.map()));
        Optional<byte[]> row = transaction.rows().get(Keys.past(at, held.until()));
        Optional<Inode> met = row.isPresent()
                ? row.filter(bytes -> bytes.length > 0).map(Inode::decode)
                : transaction.namespace().entry(at.parent(), at.name());
        if (met.isPresent() && !met.get().version().equals(was.version())) {
            transaction.keepPast(at, met.get(), was.generation());
        }
        past.replace(at, held.until(), was);
    }

    private void ensure(JournalEntry.Source source) throws IOException {
        if (transaction.contents().get(source.id()).isPresent()) {
            return;
        }
        FileVersion version = new FileVersion(source.id(), source.generation());
        Optional<Namespace.Entry> alone = transaction.namespace().file(version).filter(entry -> !entry.waiting());
        if (alone.isPresent()) {
            shared += transaction.share(alone.get().link(), alone.get().inode()).isDirectory() ? 0 : 1;
        } else {
            missing++;
            transaction
                    .contents()
                    .add(new Content(source.id(), source.generation(), source.length(), new Inode.Missing()));
        }
    }

    private boolean directoryAt(FilePath path) throws IOException {
        return transaction
                .namespace()
                .find(path)
                .inode()
                .map(Inode::isDirectory)
                .orElse(false);
    }

    private void keep(JournalEntry.Kept kept) throws IOException {
        if (file(kept.id()).isEmpty()) {
            return;
        }
        Namespace.Found to = makeWay(kept.path());
        if (to.inode().isPresent()) {
            if (to.inode().get().id() == kept.id()) {
                return;
            }
            setAside(kept.path(), to);
        }
        // Making way may have moved it.
        Namespace.Entry file = file(kept.id()).orElseThrow();
        Namespace.Link from = file.link();
        transaction.move(from.parent(), from.name(), to.parent(), to.name(), file.inode());
    }

    private Optional<Namespace.Entry> file(long id) throws IOException {
        return transaction
                .namespace()
                .linked(id)
                .filter(entry -> !entry.waiting() && !entry.inode().isDirectory());
    }

    private void rename(JournalEntry.Renamed renamed) throws IOException {
        Namespace.Found from = transaction.namespace().find(renamed.from());
        if (from.inode().isEmpty()) {
            // Nothing that was moved had been pushed.
            Namespace.Found target = transaction.namespace().find(renamed.to());
            if (target.problem() == Outcome.DONE && target.inode().isEmpty()) {
                transaction.keepAbsent(new Namespace.Link(target.parent(), target.name()));
            }
            return;
        }
        Namespace.Found to = makeWay(renamed.to());
        if (to.inode().isPresent()) {
            setAside(renamed.to(), to);
        }
        transaction.move(
                from.parent(), from.name(), to.parent(), to.name(), from.inode().get());
    }

    /** Makes the directories above a path; a file in the place of one is set aside. */
    private Namespace.Found makeWay(FilePath path) throws IOException {
        Namespace.Found found = transaction.namespace().find(path);
        for (int i = 0; found.problem() == Outcome.NOT_A_DIRECTORY; i++) {
            setAsideFileAbove(path);
            found = transaction.namespace().find(path);
            if (i > 1) {
                throw new IOException("%s: no way could be made".formatted(path));
            }
        }
        if (found.problem() == Outcome.NO_PARENT) {
            Outcome made = directories.makeParents(path, new DirectoryAttributes("", "", 0755), nowMillis, true);
            if (made != Outcome.DONE) {
                throw new IOException("%s: no way could be made: %s".formatted(path, made));
            }
            found = transaction.namespace().find(path);
        }
        return found;
    }

    private void setAsideFileAbove(FilePath path) throws IOException {
        for (Optional<FilePath> up = path.parent();
                up.isPresent();
                up = up.get().parent()) {
            Namespace.Found found = transaction.namespace().find(up.get());
            if (found.inode().isPresent() && !found.inode().get().isDirectory()) {
                setAside(up.get(), found);
                return;
            }
        }
    }

    private void setAside(FilePath path, Namespace.Found found) throws IOException {
        Inode inode = found.inode().orElseThrow();
        String name = Aside.name(found.name(), inode.id());
        transaction.move(found.parent(), found.name(), found.parent(), name, inode);
        setAside++;
        LOG.warn("{} is in the way of something newer and becomes {}", path, name);
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
