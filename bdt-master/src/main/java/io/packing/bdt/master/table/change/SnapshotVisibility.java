// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.HiddenDirectories;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.PinnedRange;
import io.packing.bdt.master.table.row.Snapshot;
import io.packing.bdt.master.table.row.WriteSet;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;

/**
 * Knows the snapshots of a mount, and which of them see what is in a directory. Each directory is asked for once, and what its directory
 * above knows is used: a mutation of a path of a thousand levels asks a thousand times, and not for each pair of levels. Nothing takes longer
 * with more snapshots than it takes to find one in a tree. Confined to the writer thread.
 */
public final class SnapshotVisibility {
    private static final int MOST_CACHED = 10_000;

    private final WriteSet rows;
    private final Namespace namespace;
    private final KnownSnapshots known;
    private final Map<Long, Level> levels = new HashMap<>();

    /** Directories that have a snapshot with a name, and those above them; none: not looked for. */
    private final Set<Long> aboveNamed = new HashSet<>();

    SnapshotVisibility(WriteSet rows, Namespace namespace, DroppedSnapshots dropped) {
        this.rows = rows;
        this.namespace = namespace;
        this.known = new KnownSnapshots(rows, dropped);
    }

    /** Writes a snapshot that is new, or has another name, or is dropped. */
    public void put(Snapshot snapshot) throws IOException {
        known.put(snapshot);
        forgetWays();
    }

    /** Removes a snapshot whose rows of the past were cleaned up. */
    public void remove(Snapshot snapshot) throws IOException {
        known.remove(snapshot);
        forgetWays();
    }

    void accept() {
        known.accept();
    }

    /** The batch under way was written. */
    void written() {
        known.written();
    }

    void reject() {
        known.reject();
        forgetWays();
    }

    void abandon() {
        known.abandon();
        forgetWays();
    }

    /** Forgets which snapshots see which directories. */
    public void forgetWays() {
        levels.clear();
        aboveNamed.clear();
    }

    /** Makes the rows by name complete, which earlier versions of a master did not write; returns whether there was anything to do. */
    public boolean completeNames() throws IOException {
        return known.completeNames();
    }

    /** Returns the oldest snapshot whose rows of the past are to be cleaned up. */
    public Optional<Snapshot> dropped() throws IOException {
        return known.dropped();
    }

    /** Returns whether the mount has a snapshot, or the rows of one. */
    boolean isEmpty() throws IOException {
        return known.all().isEmpty();
    }

    /** Positions of snapshots that have rows, from the first one on, and before the second. */
    Iterable<Long> positions(long from, long before) throws IOException {
        return known.all().subMap(from, true, before, false).keySet();
    }

    /** Returns whether there are more than so many of these. */
    boolean areMore(long from, long before, int than) throws IOException {
        int count = 0;
        for (long unused : positions(from, before)) {
            if (++count > than) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the snapshot of a position was taken for a history. */
    boolean isOfHistory(long position) throws IOException {
        return Optional.ofNullable(known.all().get(position))
                .filter(Snapshot::isOfHistory)
                .isPresent();
    }

    /** The snapshot of a directory by its name, if it can be read. */
    public Optional<Snapshot> named(long directory, String name) throws IOException {
        return Optional.ofNullable(known.named(directory).get(name));
    }

    /** Returns the snapshots of a directory that have a name, in the order of names. */
    public NavigableMap<String, Snapshot> named(long directory) throws IOException {
        return known.named(directory);
    }

    /** Returns the directories that have a snapshot with a name. */
    public Set<Long> named() throws IOException {
        return known.named();
    }

    /** Returns whether a directory, or one below it, has a snapshot with a name. */
    public boolean hasNamed(long directory) throws IOException {
        Set<Long> named = known.named();
        if (aboveNamed.isEmpty()) {
            for (long each : named) {
                long id = each;
                while (aboveNamed.add(id) && id != Inode.ROOT_ID) {
                    Optional<EntryLink> up = namespace.link(id);
                    if (up.isEmpty()) {
                        break;
                    }
                    id = up.get().parent();
                }
            }
        }
        return aboveNamed.contains(directory);
    }

    /** A directory is about to leave its place, with all below it. */
    void moves(long directory) {
        levels.clear();
        if (aboveNamed.contains(directory)) {
            aboveNamed.clear();
        }
    }

    /**
     * Returns the newest snapshot before a position that sees the entries of a directory; empty: none does. It is one of the directory, or one of a
     * directory above that sees the way to it. Any of them may see a name of a file that has several.
     */
    public Optional<Snapshot> newest(long directory, long before) throws IOException {
        if (HiddenDirectories.isHidden(directory)) {
            return known.all().headMap(before, false).descendingMap().values().stream()
                    .filter(each -> !each.dropped())
                    .findFirst();
        }
        Level level = level(directory);
        boolean isAnswer =
                level.newest.filter(each -> each.position() >= before).isEmpty();
        return isAnswer ? level.newest : level.search(before);
    }

    /** Returns the ranges of snapshots that see a directory in a place. */
    List<PinnedRange> seeing(EntryLink at, long directory) throws IOException {
        List<SeenPositions.Span> spans = SeenPositions.of(rows, at, directory).spans();
        List<PinnedRange> found = new ArrayList<>();
        if (HiddenDirectories.isHidden(at.parent())) {
            for (long owner : known.owners()) {
                add(found, directory, all(owner), spans);
            }
            return found;
        }
        Optional<Level> next = Optional.of(level(at.parent()));
        while (next.isPresent() && !spans.isEmpty()) {
            Level level = next.get();
            add(found, directory, all(level.step.directory()), spans);
            for (PinnedRange pin : level.pins) {
                add(found, directory, pin, spans);
            }
            next = level.above;
            if (next.isPresent()) {
                spans = level.seen().within(spans);
            }
        }
        return found;
    }

    /** Returns all snapshots of a directory, as a range of itself. */
    private static PinnedRange all(long owner) {
        return new PinnedRange(owner, Long.MAX_VALUE, owner, 0);
    }

    private void add(List<PinnedRange> found, long directory, PinnedRange of, List<SeenPositions.Span> spans)
            throws IOException {
        for (SeenPositions.Span span : spans) {
            long from = Math.max(span.from(), of.oldest());
            long to = Math.min(span.to(), of.newest());
            NavigableMap<Long, Snapshot> those = from > to
                    ? Collections.emptyNavigableMap()
                    : known.of(of.owner()).subMap(from, true, to, true);
            // None is passed for a directory that has the position of its making.
            while (!those.isEmpty() && !those.firstEntry().getValue().sees(span.inode())) {
                those = those.tailMap(those.firstKey(), false);
            }
            if (!those.isEmpty()) {
                found.add(new PinnedRange(directory, those.lastKey(), of.owner(), those.firstKey()));
            }
        }
    }

    /** Returns a range without the snapshots from its newest one on; empty: it has no other that can be read. */
    public Optional<PinnedRange> older(PinnedRange pin) throws IOException {
        return newest(pin, pin.newest())
                .map(each -> new PinnedRange(pin.directory(), each.position(), pin.owner(), pin.oldest()));
    }

    /** Returns the newest snapshot of a range before a position. */
    private Optional<Snapshot> newest(PinnedRange of, long before) throws IOException {
        long end = of.newest() == Long.MAX_VALUE ? before : Math.min(before, of.newest() + 1);
        return Optional.ofNullable(known.of(of.owner()).lowerEntry(end))
                .map(Map.Entry::getValue)
                .filter(each -> each.position() >= of.oldest());
    }

    private Level level(long directory) throws IOException {
        Deque<Step> way = new ArrayDeque<>();
        Optional<Level> above = Optional.empty();
        long id = directory;
        while (above.isEmpty()) {
            above = Optional.ofNullable(levels.get(id));
            if (above.isPresent()) {
                break;
            }
            Optional<EntryLink> up = id == Inode.ROOT_ID ? Optional.empty() : namespace.link(id);
            way.push(new Step(id, up));
            if (up.isEmpty()) {
                break;
            }
            id = up.get().parent();
        }
        while (!way.isEmpty()) {
            Level level = new Level(way.pop(), above);
            level.newest = level.findNewest();
            if (levels.size() >= MOST_CACHED) {
                levels.clear();
            }
            levels.put(level.step.directory(), level);
            above = Optional.of(level);
        }
        return above.orElseThrow();
    }

    /**
     * A directory on the way down.
     *
     * @param link where its entry is; empty: it is the root, or was removed
     */
    private record Step(long directory, Optional<EntryLink> link) {}

    /** The snapshots that see the entries of a directory. */
    private final class Level {
        private final Step step;
        private final Optional<Level> above;
        private final List<PinnedRange> pins;
        private Optional<Snapshot> newest = Optional.empty();
        private Optional<SeenPositions> seen = Optional.empty();

        private Level(Step step, Optional<Level> above) throws IOException {
            this.step = step;
            this.above = above;
            this.pins = known.all().isEmpty() ? List.of() : PinnedRange.of(rows, step.directory());
        }

        /** Finds the newest of all. Most directories are seen by the newest one that sees the directory above. */
        private Optional<Snapshot> findNewest() throws IOException {
            Optional<Snapshot> mine = own(Long.MAX_VALUE);
            Optional<Snapshot> other = above.flatMap(level -> level.newest)
                    .filter(each ->
                            mine.isEmpty() || each.position() > mine.get().position());
            if (other.isEmpty()) {
                return mine;
            }
            return seen().isSeenBy(other.get()) ? other : search(Long.MAX_VALUE);
        }

        /** Finds the newest before a position. */
        private Optional<Snapshot> search(long before) throws IOException {
            Optional<Snapshot> best = Optional.empty();
            List<Level> below = new ArrayList<>();
            Level at = this;
            while (true) {
                Optional<Snapshot> each = at.own(before);
                while (each.isPresent() && isNewer(each.get(), best)) {
                    long next = nextBefore(below, each.get());
                    if (next == Long.MAX_VALUE) {
                        best = each;
                    }
                    each = next == Long.MAX_VALUE ? Optional.empty() : at.own(next);
                }
                if (at.above.isEmpty()) {
                    return best;
                }
                below.add(at);
                at = at.above.get();
            }
        }

        private static boolean isNewer(Snapshot snapshot, Optional<Snapshot> than) {
            return than.isEmpty() || snapshot.position() > than.get().position();
        }

        /** Returns the position before which to look for another snapshot; the largest: this one sees the way down. */
        private static long nextBefore(List<Level> way, Snapshot snapshot) throws IOException {
            for (Level level : way) {
                if (!level.seen().isSeenBy(snapshot)) {
                    return level.seen().before(snapshot);
                }
            }
            return Long.MAX_VALUE;
        }

        /** Returns the newest snapshot before a position of the directory itself, or of those that it is pinned for. */
        private Optional<Snapshot> own(long before) throws IOException {
            Optional<Snapshot> best = newest(SnapshotVisibility.all(step.directory()), before);
            for (PinnedRange pin : pins) {
                Optional<Snapshot> each = newest(pin, before);
                best = each.isPresent() && isNewer(each.get(), best) ? each : best;
            }
            return best;
        }

        private Optional<Snapshot> newest(PinnedRange of, long before) throws IOException {
            return SnapshotVisibility.this.newest(of, before);
        }

        private SeenPositions seen() throws IOException {
            if (seen.isEmpty()) {
                seen = Optional.of(SeenPositions.of(rows, step.link().orElseThrow(), step.directory()));
            }
            return seen.orElseThrow();
        }
    }

    /** Returns whether a directory is pinned for a snapshot that can be read. */
    boolean isPinned(long directory) throws IOException {
        for (PinnedRange pin : PinnedRange.of(rows, directory)) {
            if (newest(pin, Long.MAX_VALUE).isPresent()) {
                return true;
            }
        }
        return false;
    }
}
