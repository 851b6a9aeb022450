package io.packing.bdt.master.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Keeps what snapshots see when it changes, and only then: the old row of an entry moves to a row of the past, with the
 * position of the newest snapshot that sees the entry's directory (RFC 0001). Older snapshots find it there, too. Confined
 * to the writer thread.
 */
final class Past {
    private static final int MOST_CACHED = 10_000;

    private final WriteSet rows;
    private final Namespace namespace;
    private final Contents contents;
    private final PastEntries entries;
    private final Sharing sharing;
    private final Journal journal;
    /** The snapshots that see what is in a directory, newest first. */
    private final Map<Long, List<Snapshot>> seeing = new HashMap<>();

    /** Of all snapshots that have rows, dropped ones among them. */
    private final NavigableSet<Long> positions = new TreeSet<>();

    private boolean clones;
    private boolean stale;
    private byte[] cleaned = new byte[0];

    /** Makes the bytes of a file those of contents, so that a row of the past can have them, too. */
    interface Sharing {
        Inode share(Namespace.Link at, Inode file) throws IOException;
    }

    /** Takes an entry at the next position. */
    interface Journal {
        void add(JournalEntry entry) throws IOException;
    }

    Past(WriteSet rows, Namespace namespace, Contents contents, Sharing sharing, Journal journal) throws IOException {
        this.rows = rows;
        this.namespace = namespace;
        this.contents = contents;
        this.sharing = sharing;
        this.journal = journal;
        this.entries = new PastEntries(rows);
        lookForSnapshots();
    }

    PastEntries entries() {
        return entries;
    }

    /** Whether the mount has a snapshot, or the rows of one. */
    boolean isEmpty() throws IOException {
        if (stale) {
            lookForSnapshots();
        }
        return positions.isEmpty();
    }

    /** Learns that snapshots came or went. */
    void lookForSnapshots() throws IOException {
        positions.clear();
        rows.scan(Keys.kind(Keys.SNAPSHOT), Keys.kindEnd(Keys.SNAPSHOT), (key, value) -> {
            positions.add(Keys.secondNumber(key));
            return true;
        });
        clones = false;
        rows.scan(Keys.kind(Keys.USE), Keys.kindEnd(Keys.USE), (key, value) -> {
            clones = true;
            return false;
        });
        seeing.clear();
        stale = false;
    }

    /** Whether any directory is, or was, a clone that is still needed. */
    boolean hasClones() throws IOException {
        if (stale) {
            lookForSnapshots();
        }
        return clones;
    }

    /** The snapshot of a position that was taken of a directory, if it can be read. */
    Optional<Snapshot> snapshot(long owner, long position) throws IOException {
        byte[] key = Keys.pair(Keys.SNAPSHOT, owner, position);
        return rows.get(key).map(row -> Snapshot.decode(key, row)).filter(each -> !each.dropped());
    }

    /** Whether any snapshot sees what was in a directory that is deleted. */
    boolean sees(long directory) throws IOException {
        boolean[] own = new boolean[1];
        byte[] from = Keys.numbered(Keys.SNAPSHOT, directory);
        rows.scan(from, Keys.numbered(Keys.SNAPSHOT, directory + 1), (key, value) -> {
            own[0] = true;
            return false;
        });
        return own[0] || has(directory);
    }

    /** Whether any row of the past has an inode. */
    boolean has(long id) throws IOException {
        boolean[] found = new boolean[1];
        for (long position : positions) {
            rows.scan(Keys.byPosition(position, id), Keys.byPosition(position, id + 1), (key, value) -> {
                found[0] = true;
                return false;
            });
        }
        return found[0];
    }

    /** Forgets what it derived from rows that were taken back. */
    void forget() {
        seeing.clear();
        stale = true;
        cleaned = new byte[0];
    }

    /** Forgets which snapshots see which directories. */
    void forgetWays() {
        seeing.clear();
    }

    /** The first row by position that was not cleaned up yet, as far as is known; to skip those that were takes long. */
    byte[] resumeAt(long position) {
        return isResumed(position) ? cleaned : Keys.numbered(Keys.BY_POSITION, position);
    }

    boolean isResumed(long position) {
        return cleaned.length > 0 && Keys.number(cleaned) == position;
    }

    /** All rows by position up to this one were cleaned up. */
    void cleanedUpTo(byte[] key) {
        cleaned = key;
    }

    /**
     * Whether a row says what an entry was until a position from the first one on, and before the second. Asks for each row: a scan
     * would skip all that were removed near it.
     */
    boolean changedBetween(Namespace.Link at, long from, long before) throws IOException {
        for (long position : positions.subSet(from, true, before, false)) {
            if (rows.get(Keys.past(at, position)).isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** As the other, of a change that happens now. */
    Inode beforeChange(Namespace.Link at, Inode before) throws IOException {
        return beforeChange(at, before, Long.MAX_VALUE);
    }

    /**
     * An entry is about to change: a snapshot that sees it goes on to see it as it is.
     *
     * @param since position of the change; snapshots from then on see what the entry becomes
     * @return the entry as it is now
     */
    Inode beforeChange(Namespace.Link at, Inode before, long since) throws IOException {
        return beforeChange(at, before, since, Long.MAX_VALUE);
    }

    private Inode beforeChange(Namespace.Link at, Inode before, long since, long until) throws IOException {
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
        Inode kept = before.isDirectory() || !empty ? now : before.at(new Inode.Mapped(ReferenceMap.EMPTY));
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
    void comeBack(Namespace.Link at, long position, Inode was, ReferenceMap map) throws IOException {
        Optional<byte[]> row = entries.row(at, position);
        Optional<Inode> met = row.isPresent()
                ? row.filter(bytes -> bytes.length > 0).map(Inode::decode)
                : namespace.entry(at.parent(), at.name());
        if (met.isPresent() && !met.get().version().equals(was.version())) {
            beforeChange(at, met.get(), was.generation(), row.isPresent() ? position : Long.MAX_VALUE);
        }
        replace(at, position, was);
        noteHeld(at, position, was, map);
    }

    private void noteHeld(Namespace.Link at, long position, Inode was, ReferenceMap map) throws IOException {
        journal.add(new JournalEntry.Held(
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

    /** Of an empty file there is no content that would tell. */
    private boolean mayBeInNoFooter(Inode file, Inode.Mapped mapped) throws IOException {
        return file.attributes().length() == 0
                ? !(file.place() instanceof Inode.Packed)
                : contents.of(mapped.map()).stream().anyMatch(each -> !(each.place() instanceof Inode.Packed));
    }

    /** Something older than a snapshot comes to a place where nothing is: the snapshot goes on to see nothing. */
    void beforeArrival(Namespace.Link at) throws IOException {
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
    private Optional<Snapshot> thatNeeds(Namespace.Link at, Optional<Inode> before, long since, long until)
            throws IOException {
        if (isEmpty()) {
            return Optional.empty();
        }
        Optional<Snapshot> newest = seeing(at.parent()).stream()
                .filter(each -> each.position() < since)
                .findFirst()
                .filter(each -> before.isEmpty() || each.sees(before.get()));
        return newest.isPresent() && changedBetween(at, newest.get().position(), until) ? Optional.empty() : newest;
    }

    /** Says what an entry was until a snapshot. The bytes of a file are those of contents by now. */
    void keep(Namespace.Link at, long position, Optional<Inode> before) {
        rows.put(Keys.past(at, position), before.map(Inode::encode).orElse(new byte[0]));
        rows.put(Keys.byPosition(at, position, before.map(Inode::id).orElse(0L)), new byte[0]);
        if (before.isPresent() && before.get().place() instanceof Inode.Mapped mapped) {
            contents.hold(mapped.map(), before.get().id(), position, at);
        }
    }

    /** Says what an entry was until a snapshot, whatever was said before. */
    private void replace(Namespace.Link at, long position, Inode was) throws IOException {
        Optional<byte[]> before = rows.get(Keys.past(at, position));
        if (before.isPresent() && was.place() instanceof Inode.Mapped mapped) {
            // What both have must have a referrer at any time.
            contents.hold(mapped.map(), Inode.ROOT_ID, position, at);
            remove(at, position, before.filter(row -> row.length > 0).map(Inode::decode));
            keep(at, position, Optional.of(was));
            contents.release(mapped.map(), Inode.ROOT_ID, position);
        } else {
            keep(at, position, Optional.of(was));
        }
    }

    /** Removes a row of the past. */
    void remove(Namespace.Link at, long position, Optional<Inode> was) throws IOException {
        rows.delete(Keys.past(at, position));
        rows.delete(Keys.byPosition(at, position, was.map(Inode::id).orElse(0L)));
        if (was.isPresent() && was.get().place() instanceof Inode.Mapped mapped) {
            contents.release(mapped.map(), was.get().id(), position);
        }
    }

    /** A directory leaves its place: the snapshots that see it there go on to see it. */
    void pin(Namespace.Link at, long directory) throws IOException {
        if (isEmpty()) {
            return;
        }
        for (Snapshot snapshot : seeing(at.parent())) {
            if (entries.entry(at, snapshot)
                    .filter(inode -> inode.id() == directory)
                    .isPresent()) {
                rows.put(
                        Keys.pair(Keys.PIN, directory, snapshot.position()),
                        new Bytes.Out().number(snapshot.directory()).toBytes());
                rows.put(Keys.pinByPosition(directory, snapshot.position()), new byte[0]);
            }
        }
        seeing.clear();
    }

    /** A directory on the way up, and where its entry is. */
    private record Step(Namespace.Link link, long directory) {}

    /**
     * The snapshots that see what is in a directory, newest first: its own, and those above it that see the way to it. Any of them may see
     * a name of a file that has several.
     */
    List<Snapshot> seeing(long directory) throws IOException {
        List<Snapshot> known = seeing.get(directory);
        if (known != null) {
            return known;
        }
        if (HardLinks.isHidden(directory)) {
            return remember(directory, entries.allSnapshots().stream());
        }
        Map<Long, Snapshot> found = new HashMap<>();
        List<Step> way = new ArrayList<>();
        long id = directory;
        while (true) {
            for (Snapshot snapshot : at(id)) {
                if (!found.containsKey(snapshot.position()) && seesAll(snapshot, way)) {
                    found.put(snapshot.position(), snapshot);
                }
            }
            Optional<Namespace.Link> up = id == Inode.ROOT_ID ? Optional.empty() : namespace.link(id);
            if (up.isEmpty()) {
                break;
            }
            way.add(new Step(up.get(), id));
            id = up.get().parent();
        }
        return remember(directory, found.values().stream());
    }

    private List<Snapshot> remember(long directory, Stream<Snapshot> found) {
        List<Snapshot> all = found.sorted(
                        Comparator.comparingLong(Snapshot::position).reversed())
                .toList();
        if (seeing.size() >= MOST_CACHED) {
            seeing.clear();
        }
        seeing.put(directory, all);
        return all;
    }

    private boolean seesAll(Snapshot snapshot, List<Step> way) throws IOException {
        for (Step step : way) {
            Optional<Inode> there = entries.entry(step.link(), snapshot);
            if (there.isEmpty() || there.get().id() != step.directory()) {
                return false;
            }
        }
        return true;
    }

    /** The snapshots of a directory itself, and those that it is pinned for. */
    private List<Snapshot> at(long directory) throws IOException {
        List<Snapshot> found = new ArrayList<>(entries.snapshots(directory));
        List<byte[]> owners = new ArrayList<>();
        rows.scan(Keys.numbered(Keys.PIN, directory), Keys.numbered(Keys.PIN, directory + 1), (key, value) -> {
            owners.add(Keys.pair(Keys.SNAPSHOT, new Bytes.In(value).number(), Keys.secondNumber(key)));
            return true;
        });
        for (byte[] key : owners) {
            rows.get(key)
                    .map(row -> Snapshot.decode(key, row))
                    .filter(each -> !each.dropped())
                    .ifPresent(found::add);
        }
        return found;
    }
}
