// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.LoneVersion;
import io.packing.bdt.master.table.row.PinnedRange;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.Snapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Answers what entries of directories were at a snapshot. A row of the past says what an entry was until its position; the
 * smallest at or after the snapshot's counts, and the present row without one. What came after the snapshot is left out.
 */
public final class PastEntries {
    static final Comparator<Named> BY_NAME = Comparator.comparing(Named::name, PastEntries::compare);

    private final Rows rows;
    /** The snapshots that were found by their directory and name; empty: each is looked for anew. */
    private final Optional<Map<EntryLink, Optional<Snapshot>>> known;

    public PastEntries(Rows rows) {
        this(rows, Optional.empty());
    }

    private PastEntries(Rows rows, Optional<Map<EntryLink, Optional<Snapshot>>> known) {
        this.rows = rows;
        this.known = known;
    }

    /** Returns these entries for one question: it finds each snapshot once. Confined to one thread. */
    PastEntries ofOneQuestion() {
        return new PastEntries(rows, Optional.of(new HashMap<>()));
    }

    /** Compares names in the order of listings, which is that of UTF-8 bytes. */
    static int compare(String name, String other) {
        return Arrays.compareUnsigned(name.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * An entry of a listing.
     *
     * @param shown whose it is
     */
    public record Named(String name, Inode inode, Inheritance shown) {
        /** An entry of the directory itself. */
        Named(String name, Inode inode) {
            this(name, inode, Inheritance.OWN);
        }
    }

    /** A snapshot of a directory that can be read. */
    Optional<Snapshot> snapshot(long directory, String name) throws IOException {
        EntryLink at = new EntryLink(directory, name);
        Optional<Snapshot> before = known.flatMap(all -> all.getOrDefault(at, Optional.empty()));
        if (before.isPresent()) {
            return before;
        }
        Optional<Snapshot> found = find(directory, name);
        known.ifPresent(all -> all.put(at, found));
        return found;
    }

    private Optional<Snapshot> find(long directory, String name) throws IOException {
        Optional<byte[]> position = rows.get(Keys.snapshotName(directory, name));
        return position.isPresent()
                ? at(directory, new Bytes.In(position.get()).number())
                        .filter(each -> each.name().equals(name))
                : Optional.empty();
    }

    /** Returns the snapshot of a directory at a position, if it can be read. */
    private Optional<Snapshot> at(long directory, long position) throws IOException {
        byte[] key = Keys.pair(Keys.SNAPSHOT, directory, position);
        return rows.get(key).map(row -> Snapshot.decode(key, row)).filter(each -> !each.dropped());
    }

    /** Returns snapshots of a directory that have names, in the order of these. */
    List<Snapshot> named(long directory, String startAfter, int limit) throws IOException {
        List<Long> positions = new ArrayList<>();
        byte[] from = Keys.snapshotName(directory, startAfter);
        rows.scan(
                startAfter.isEmpty() ? from : Keys.after(from), Keys.snapshotName(directory + 1, ""), (key, value) -> {
                    positions.add(new Bytes.In(value).number());
                    return positions.size() < limit;
                });
        List<Snapshot> found = new ArrayList<>(positions.size());
        for (long position : positions) {
            at(directory, position).ifPresent(found::add);
        }
        return found;
    }

    /** Returns whether a directory's own snapshot, or one that the directory is pinned for, sees an inode. It can be read. */
    boolean isSeen(long directory, Inode inode) throws IOException {
        if (isSeen(directory, 0, Long.MAX_VALUE - 1, inode)) {
            return true;
        }
        for (PinnedRange pin : PinnedRange.of(rows, directory)) {
            if (isSeen(pin.owner(), pin.oldest(), pin.newest(), inode)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a snapshot in a range of positions sees an inode. The first that is as new as the inode mostly does. */
    private boolean isSeen(long owner, long from, long to, Inode inode) throws IOException {
        boolean[] seen = new boolean[1];
        long first = Math.max(from, inode.generation());
        if (first <= to) {
            rows.scan(Keys.pair(Keys.SNAPSHOT, owner, first), Keys.pair(Keys.SNAPSHOT, owner, to + 1), (key, value) -> {
                Snapshot snapshot = Snapshot.decode(key, value);
                seen[0] = !snapshot.dropped() && snapshot.sees(inode);
                return !seen[0];
            });
        }
        return seen[0];
    }

    /** All snapshots of the mount that can be read. */
    public List<Snapshot> allSnapshots() throws IOException {
        List<Snapshot> found = new ArrayList<>();
        rows.scan(
                Keys.kind(Keys.SNAPSHOT),
                Keys.kindEnd(Keys.SNAPSHOT),
                (key, value) -> add(found, Snapshot.decode(key, value)));
        return found;
    }

    private static boolean add(List<Snapshot> found, Snapshot snapshot) {
        if (!snapshot.dropped()) {
            found.add(snapshot);
        }
        return true;
    }

    /** Returns an entry as a snapshot sees it. */
    public Optional<Inode> entry(EntryLink at, Snapshot snapshot) throws IOException {
        // The present first: what changes it writes the row of the past at once.
        Optional<byte[]> present = rows.get(Keys.entry(at.parent(), at.name()));
        Optional<byte[]> past = row(at, snapshot.position());
        Optional<byte[]> row = past.isPresent() ? past.filter(value -> value.length > 0) : present;
        return row.map(LoneVersion::shown).filter(snapshot::sees);
    }

    /** Finds an entry below the directory of a snapshot. Of a clone it finds the own entries only. */
    public ResolvedPath find(Snapshot snapshot, List<String> names) throws IOException {
        String last = names.get(names.size() - 1);
        long parent = snapshot.directory();
        for (int i = 0; ; i++) {
            boolean isLast = i == names.size() - 1;
            Optional<Inode> inode = entry(new EntryLink(parent, names.get(i)), snapshot);
            if (inode.isEmpty() || isLast) {
                Outcome problem = isLast ? Outcome.DONE : Outcome.NO_PARENT;
                return new ResolvedPath(problem, parent, last, inode, Optional.of(snapshot));
            }
            if (!inode.get().isDirectory()) {
                return new ResolvedPath(Outcome.NOT_A_DIRECTORY, parent, last, Optional.empty(), Optional.of(snapshot));
            }
            parent = inode.get().id();
        }
    }

    /** Returns the row of an entry's state at a position, if the entry changed since; a row without bytes: no entry. */
    public Optional<byte[]> row(EntryLink at, long position) throws IOException {
        return rows.firstValue(Keys.past(at, position), Keys.past(at, Long.MAX_VALUE));
    }

    /**
     * The entries of a directory at a snapshot in order of their names.
     *
     * @param startAfter a name; empty: from the first
     */
    List<Named> list(long directory, Snapshot snapshot, String startAfter, int limit) throws IOException {
        List<Named> page = new ArrayList<>();
        byte[] from =
                startAfter.isEmpty() ? Keys.entries(directory) : Keys.afterEntry(Keys.entry(directory, startAfter));
        boolean more = true;
        while (more && page.size() < limit) {
            // The present first, as for one entry.
            TreeMap<byte[], Optional<byte[]>> batch = new TreeMap<>(Arrays::compareUnsigned);
            int most = limit;
            rows.scan(from, Keys.entriesEnd(directory), (key, value) -> {
                batch.put(key, Optional.of(value));
                return batch.size() < most;
            });
            more = batch.size() == most;
            byte[] end = more ? Keys.afterEntry(batch.lastKey()) : Keys.entriesEnd(directory);
            overlay(batch, from, end, snapshot.position());
            for (Map.Entry<byte[], Optional<byte[]>> each : batch.entrySet()) {
                Optional<Inode> inode = each.getValue().map(LoneVersion::shown).filter(snapshot::sees);
                if (inode.isPresent() && page.size() < limit) {
                    page.add(new Named(Keys.entryName(each.getKey()), inode.get()));
                }
            }
            from = end;
        }
        return page;
    }

    private void overlay(Map<byte[], Optional<byte[]>> batch, byte[] from, byte[] end, long position)
            throws IOException {
        Overlay overlay = new Overlay(batch, position);
        byte[] next = Keys.pastOf(from);
        while (next.length > 0) {
            overlay.skipTo = new byte[0];
            rows.scan(next, Keys.pastOf(end), overlay);
            next = overlay.skipTo;
        }
    }

    /** Takes the row of the past that counts for each entry. An entry that changed each second has very many others. */
    private static final class Overlay implements Rows.Visitor {
        private static final int MOST_PASSED = 16;

        private final Map<byte[], Optional<byte[]>> batch;
        private final long position;
        private byte[] entry = new byte[0];
        private boolean isFound;
        private int passed;
        /** The key at which another scan goes on; empty: this one goes on. */
        private byte[] skipTo = new byte[0];

        private Overlay(Map<byte[], Optional<byte[]>> batch, long position) {
            this.batch = batch;
            this.position = position;
        }

        @Override
        public boolean row(byte[] key, byte[] value) {
            byte[] of = Keys.entryOfPast(key);
            if (!Arrays.equals(entry, of)) {
                entry = of;
                isFound = false;
                passed = 0;
            }
            if (!isFound && Keys.pastPosition(key) >= position) {
                isFound = true;
                passed = 0;
                batch.put(of, value.length == 0 ? Optional.empty() : Optional.of(value));
                return true;
            }
            if (++passed <= MOST_PASSED) {
                return true;
            }
            passed = 0;
            skipTo = isFound ? Keys.pastOf(Keys.afterEntry(of)) : Keys.pastFrom(of, position);
            return false;
        }
    }
}
