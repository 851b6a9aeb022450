// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.read.PastEntries;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.JournalEntry;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.LoneVersion;
import io.packing.bdt.master.table.row.PinnedRange;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.bdt.master.table.row.Referrer;
import io.packing.bdt.master.table.row.Snapshot;
import io.packing.bdt.master.table.row.Staged;
import io.packing.bdt.master.table.row.WriteSet;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps what snapshots see when it changes, and only then: the old row of an entry moves to a row of the past, with the
 * position of the newest snapshot that sees the entry's directory (RFC 0001). Older snapshots find it there, too. Confined
 * to the writer thread.
 */
public final class PastRows implements Staged {
    /** Positions up to which asking for each row is cheaper than a scan that may pass rows that were removed. */
    private static final int MOST_ASKED = 8;
    /** Directories that are known to be noted, at most. */
    private static final int MOST_NOTED = 10_000;

    private final WriteSet rows;
    private final Namespace namespace;
    private final Contents contents;
    private final MapLayers layers;
    private final PastEntries entries;
    private final Sharing sharing;
    private final Notes notes;
    private final SnapshotVisibility sight;
    private final PastCleaning cleaning = new PastCleaning();
    private boolean clones;
    private boolean clonesAreStale = true;
    private boolean cloneWent;
    /** Directories that are known to have a row by the position of a snapshot. */
    private final Set<Changed> changed = new HashSet<>();

    /** A directory in which entries have rows of the past of a position. */
    private record Changed(long directory, long position) {}

    /** Makes the bytes of a file those of contents, so that a row of the past can have them, too. */
    interface Sharing {
        Inode share(EntryLink at, Inode file) throws IOException;
    }

    /** Takes an entry at the next position. */
    interface Notes {
        void add(JournalEntry entry) throws IOException;
    }

    PastRows(
            WriteSet rows,
            Namespace namespace,
            Contents contents,
            MapLayers layers,
            Sharing sharing,
            Notes notes,
            DroppedSnapshots dropped) {
        this.layers = layers;
        this.rows = rows;
        this.namespace = namespace;
        this.contents = contents;
        this.sharing = sharing;
        this.notes = notes;
        this.entries = new PastEntries(rows);
        this.sight = new SnapshotVisibility(rows, namespace, dropped);
    }

    public PastEntries entries() {
        return entries;
    }

    /** The snapshots of the mount, and what they see. */
    public SnapshotVisibility sight() {
        return sight;
    }

    /** Returns whether the mount has a snapshot, or the rows of one. */
    public boolean isEmpty() throws IOException {
        return sight.isEmpty();
    }

    /** Returns whether any directory is, or was, a clone that is still needed. It is true until the batch is written that lets the last one go. */
    public boolean hasClones() throws IOException {
        if (clonesAreStale) {
            clones = rows.any(Keys.kind(Keys.USE), Keys.kindEnd(Keys.USE));
            clonesAreStale = false;
        }
        return clones;
    }

    /** Learns that a clone is there. */
    void cloneCame() {
        clones = true;
        clonesAreStale = false;
    }

    /** Learns that a clone is needed no more. */
    void cloneWent() {
        cloneWent = true;
    }

    @Override
    public void written() {
        sight.written();
        // Only now: each look in a batch that removes many clones would pass all that it removed.
        clonesAreStale |= cloneWent;
        cloneWent = false;
    }

    /** The snapshot of a position that was taken of a directory, if it can be read. */
    Optional<Snapshot> snapshot(long owner, long position) throws IOException {
        byte[] key = Keys.pair(Keys.SNAPSHOT, owner, position);
        return rows.get(key).map(row -> Snapshot.decode(key, row)).filter(each -> !each.dropped());
    }

    /** Returns whether any snapshot sees the entries of a deleted directory. */
    boolean sees(long directory) throws IOException {
        return rows.any(Keys.numbered(Keys.SNAPSHOT, directory), Keys.numbered(Keys.SNAPSHOT, directory + 1))
                || has(directory);
    }

    /**
     * Returns whether a snapshot that can be read has a directory in a place that the directory has left. Then the directory is pinned for
     * the snapshot. Rows of the past that dropped snapshots still have do not count.
     */
    boolean has(long directory) throws IOException {
        return sight.isPinned(directory);
    }

    /** Forgets everything that it derived from rows that were taken back. */
    private void forget() {
        clonesAreStale = true;
        changed.clear();
        cleaning.beginAnew();
    }

    /** Returns how far rows of dropped snapshots were cleaned up. */
    public PastCleaning cleaning() {
        return cleaning;
    }

    /** Learns that no entry of a directory has a row of the past of a position any more. */
    public void cleaned(long directory, long position) {
        rows.delete(Keys.changedByPosition(directory, position));
        changed.remove(new Changed(directory, position));
        cleaning.endedInside();
    }

    /** Returns whether a row says what an entry was until a position from the first one on, and before the second. */
    public boolean changedBetween(EntryLink at, long from, long before) throws IOException {
        if (sight.areMore(from, before, MOST_ASKED)) {
            return rows.any(Keys.past(at, from), Keys.past(at, before));
        }
        // A scan would skip all that were removed near it.
        for (long position : sight.positions(from, before)) {
            if (rows.get(Keys.past(at, position)).isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** As the other, of a change that happens now. */
    Inode beforeChange(EntryLink at, Inode before) throws IOException {
        return beforeChange(at, before, Long.MAX_VALUE);
    }

    /**
     * An entry is about to change: a snapshot that sees it goes on to see it as it is.
     *
     * @param since position of the change; snapshots from then on see what the entry becomes
     * @return the entry as it is now
     */
    Inode beforeChange(EntryLink at, Inode before, long since) throws IOException {
        return beforeChange(at, before, since, Long.MAX_VALUE);
    }

    /**
     * An entry is about to leave its place. If it is a file in blobs that shares no bytes, and a snapshot sees it, one row of the past takes
     * it over with its extents.
     *
     * @param since position of the change; snapshots from then on see what the entry becomes
     * @return the entry as it is now
     */
    Inode beforeLeaving(EntryLink at, Inode before, long since) throws IOException {
        if (!LoneVersion.isLone(before)) {
            Inode now = beforeChange(at, before, since);
            if (now.isDirectory()) {
                pin(at, now.id());
            }
            return now;
        }
        Optional<Snapshot> snapshot = thatNeeds(at, Optional.of(before), since, Long.MAX_VALUE);
        if (snapshot.isPresent()) {
            keep(at, snapshot.get().position(), Optional.of(before));
        }
        return before;
    }

    private Inode beforeChange(EntryLink at, Inode before, long since, long until) throws IOException {
        Optional<Snapshot> snapshot = thatNeeds(at, Optional.of(before), since, until);
        if (snapshot.isEmpty()) {
            return before;
        }
        long position = snapshot.get().position();
        if (before.place() instanceof Inode.Linked) {
            keep(at, position, Optional.of(before));
            return before;
        }
        boolean empty = before.attributes().length() == 0;
        Inode now = before.isDirectory() || empty ? before : sharing.share(at, before);
        Optional<MapLayers.Frozen> frozen = empty ? Optional.empty() : layers.freeze(at, now);
        if (frozen.isPresent()) {
            // No entry of the journal: it has all that the map has.
            keep(at, position, Optional.of(now.at(frozen.get().place())));
            return frozen.get().file();
        }
        Inode kept = before.isDirectory() || !empty
                ? FragmentedMaps.whole(rows, now)
                : before.at(new Inode.Mapped(ReferenceMap.EMPTY));
        if (kept.place() instanceof Inode.Mapped mapped && mayBeInNoFooter(now, mapped)) {
            noteHeld(at, position, kept, mapped.map());
        }
        keep(at, position, Optional.of(kept));
        return now;
    }

    /**
     * A file comes back that a snapshot saw. What the snapshot sees in its place is older, and stays what the snapshots before
     * the file see.
     *
     * @param position of the snapshot
     * @param was with bytes that are those of contents
     */
    public void comeBack(EntryLink at, long position, Inode was, ReferenceMap map) throws IOException {
        Optional<byte[]> row = entries.row(at, position);
        Optional<Inode> met = row.isPresent()
                ? row.filter(bytes -> bytes.length > 0).map(LoneVersion::shown)
                : namespace.entry(at.parent(), at.name());
        if (met.isPresent() && !met.get().version().equals(was.version())) {
            beforeChange(at, met.get(), was.generation(), row.isPresent() ? position : Long.MAX_VALUE);
        }
        replace(at, position, was);
        noteHeld(at, position, was, map);
    }

    private void noteHeld(EntryLink at, long position, Inode was, ReferenceMap map) throws IOException {
        notes.add(new JournalEntry.Held(
                at.parent(),
                at.name(),
                position,
                was.id(),
                was.generation(),
                was.attributes(),
                was.extras(),
                map,
                contents.sources(map)));
    }

    /** Returns whether a file may be in no footer yet. An empty file has no content that would tell. */
    private boolean mayBeInNoFooter(Inode file, Inode.Mapped mapped) throws IOException {
        return file.attributes().length() == 0
                ? !(file.place() instanceof Inode.Packed)
                : !contents.arePacked(mapped.map());
    }

    /** Returns whether a snapshot needs a row of the past of an entry before the entry changes. */
    public boolean needs(EntryLink at, Inode inode) throws IOException {
        return thatNeeds(at, Optional.of(inode), Long.MAX_VALUE, Long.MAX_VALUE).isPresent();
    }

    /** Something older than a snapshot comes to a place where nothing is: the snapshot goes on to see nothing. */
    public void beforeArrival(EntryLink at) throws IOException {
        Optional<Snapshot> snapshot = thatNeeds(at, Optional.empty(), Long.MAX_VALUE, Long.MAX_VALUE);
        if (snapshot.isPresent()) {
            keep(at, snapshot.get().position(), Optional.empty());
        }
    }

    /**
     * The snapshot that an entry needs a row of the past for before it changes; empty: none.
     *
     * @param since position of the change; snapshots from then on see what the entry becomes
     * @param until position up to which the entry was so; any row of the past before it answers for older snapshots
     */
    private Optional<Snapshot> thatNeeds(EntryLink at, Optional<Inode> before, long since, long until)
            throws IOException {
        if (isEmpty()) {
            return Optional.empty();
        }
        Optional<Snapshot> newest =
                sight.newest(at.parent(), since).filter(each -> before.isEmpty() || each.sees(before.get()));
        return newest.isPresent() && changedBetween(at, newest.get().position(), until) ? Optional.empty() : newest;
    }

    /** Says what an entry was until a snapshot. The bytes of a file are those of contents by now, or no other file has them. */
    public void keep(EntryLink at, long position, Optional<Inode> before) throws IOException {
        note(at, before.map(Inode::id).orElse(0L), position);
        if (before.isPresent() && LoneVersion.isLone(before.get())) {
            contents.holdAlone(new LoneVersion(new Referrer.At(at, position), before.get()));
            return;
        }
        rows.put(Keys.past(at, position), before.map(Inode::encode).orElse(new byte[0]));
        if (before.isPresent() && before.get().place() instanceof Inode.Mapped mapped) {
            contents.hold(mapped.map(), before.get().id(), position, at);
        } else if (before.isPresent() && before.get().place() instanceof Inode.Fragmented fragmented) {
            layers.hold(fragmented.layer(), before.get().id(), position, at);
        }
    }

    /** Writes that an entry has a row of the past: by its name, if few entries change until the next snapshot, else by its directory. */
    private void note(EntryLink at, long id, long position) throws IOException {
        if (sight.isOfHistory(position)) {
            rows.put(Keys.entryByPosition(at, id, position), new byte[0]);
            return;
        }
        if (changed.size() >= MOST_NOTED) {
            changed.clear();
        }
        if (changed.add(new Changed(at.parent(), position))) {
            rows.put(Keys.changedByPosition(at.parent(), position), new byte[0]);
        }
    }

    /** Says what an entry was until a snapshot, whatever was said before. */
    private void replace(EntryLink at, long position, Inode was) throws IOException {
        boolean isSaid = rows.get(Keys.past(at, position)).isPresent();
        if (isSaid && was.place() instanceof Inode.Mapped mapped) {
            // What both have must have a referrer at any time.
            contents.hold(mapped.map(), Inode.ROOT_ID, position, at);
            // Only now: a row that had these bytes alone has them no more.
            Optional<byte[]> before = rows.get(Keys.past(at, position));
            remove(at, position, before.filter(row -> row.length > 0).map(Inode::decode));
            keep(at, position, Optional.of(was));
            contents.release(mapped.map(), Inode.ROOT_ID, position);
        } else {
            keep(at, position, Optional.of(was));
        }
    }

    /** Removes a row of the past. */
    public void remove(EntryLink at, long position, Optional<Inode> was) throws IOException {
        rows.delete(Keys.past(at, position));
        if (was.isPresent() && was.get().place() instanceof Inode.Mapped mapped) {
            contents.release(mapped.map(), was.get().id(), position);
        } else if (was.isPresent() && was.get().place() instanceof Inode.Fragmented fragmented) {
            layers.release(fragmented.layer(), was.get().id(), position);
        } else if (was.isPresent() && LoneVersion.isLone(was.get())) {
            contents.releaseAlone(new LoneVersion(new Referrer.At(at, position), was.get()));
        }
    }

    /** A directory leaves its place: the snapshots that see it there go on to see it. */
    void pin(EntryLink at, long directory) throws IOException {
        if (isEmpty()) {
            return;
        }
        for (PinnedRange range : sight.seeing(at, directory)) {
            range.write(rows);
        }
        sight.moves(directory);
    }

    @Override
    public void accept() {
        sight.accept();
    }

    @Override
    public void reject() {
        sight.reject();
        forget();
    }

    @Override
    public void abandon() {
        sight.abandon();
        forget();
    }
}
