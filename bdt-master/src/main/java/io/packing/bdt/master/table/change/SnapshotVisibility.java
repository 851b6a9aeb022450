// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.read.Namespace;
import io.packing.bdt.master.table.read.PastEntries;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.HiddenDirectories;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Snapshot;
import io.packing.bdt.master.table.row.WriteSet;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Knows the snapshots of a mount, and which of them see what is in a directory. Each directory is asked for once, and what its directory
 * above knows is used: a mutation of a path of a thousand levels asks a thousand times, and not for each pair of levels. Confined to the
 * writer thread.
 */
public final class SnapshotVisibility {
    private static final Comparator<Snapshot> NEWEST_FIRST =
            Comparator.comparingLong(Snapshot::position).reversed();
    private static final int MOST_CACHED = 10_000;
    /** Levels that may ask one another; of deeper ways each has its answer before the next one asks. */
    private static final int MOST_LEVELS = 1_000;

    private final WriteSet rows;
    private final Namespace namespace;
    private final PastEntries entries;
    /** All snapshots that have rows, dropped ones among them. A position has at most one. */
    private final NavigableMap<Long, Snapshot> all = new TreeMap<>();
    /** Those of each directory, without dropped ones. */
    private final Map<Long, NavigableMap<Long, Snapshot>> byDirectory = new HashMap<>();

    private final Map<Long, Map<String, Snapshot>> byName = new HashMap<>();
    private final Map<Long, Level> levels = new HashMap<>();

    /** Directories that have a snapshot with a name, and those above them; none: not looked for. */
    private final Set<Long> aboveNamed = new HashSet<>();

    private boolean stale = true;
    /** Returns whether the batch under way changed a snapshot. */
    private boolean changed;

    SnapshotVisibility(WriteSet rows, Namespace namespace, PastEntries entries) {
        this.rows = rows;
        this.namespace = namespace;
        this.entries = entries;
    }

    private NavigableMap<Long, Snapshot> all() throws IOException {
        if (stale) {
            all.clear();
            byDirectory.clear();
            byName.clear();
            forgetWays();
            rows.scan(Keys.kind(Keys.SNAPSHOT), Keys.kindEnd(Keys.SNAPSHOT), (key, value) -> {
                enter(Snapshot.decode(key, value));
                return true;
            });
            stale = false;
        }
        return all;
    }

    private void enter(Snapshot snapshot) {
        Optional<Snapshot> before = Optional.ofNullable(all.put(snapshot.position(), snapshot));
        before.ifPresent(this::leave);
        if (!snapshot.dropped()) {
            byDirectory
                    .computeIfAbsent(snapshot.directory(), directory -> new TreeMap<>())
                    .put(snapshot.position(), snapshot);
            if (!snapshot.isHidden()) {
                byName.computeIfAbsent(snapshot.directory(), directory -> new HashMap<>())
                        .put(snapshot.name(), snapshot);
            }
        }
    }

    private void leave(Snapshot snapshot) {
        NavigableMap<Long, Snapshot> others = byDirectory.getOrDefault(snapshot.directory(), new TreeMap<>());
        others.remove(snapshot.position());
        if (others.isEmpty()) {
            byDirectory.remove(snapshot.directory());
        }
        Map<String, Snapshot> names = byName.getOrDefault(snapshot.directory(), new HashMap<>());
        if (snapshot.equals(names.get(snapshot.name()))) {
            names.remove(snapshot.name());
        }
        if (names.isEmpty()) {
            byName.remove(snapshot.directory());
        }
    }

    /** Writes a snapshot that is new, or has another name, or is dropped. */
    public void put(Snapshot snapshot) throws IOException {
        NavigableMap<Long, Snapshot> unused = all();
        rows.put(snapshot.key(), snapshot.encode());
        enter(snapshot);
        changed = true;
        forgetWays();
    }

    /** Removes a snapshot whose rows of the past were cleaned up. */
    public void remove(Snapshot snapshot) throws IOException {
        NavigableMap<Long, Snapshot> known = all();
        rows.delete(snapshot.key());
        Optional.ofNullable(known.remove(snapshot.position())).ifPresent(this::leave);
        changed = true;
        forgetWays();
    }

    /** The batch under way was written. */
    void written() {
        changed = false;
    }

    /** Forgets what it derived from rows that were taken back. */
    void forget() {
        stale |= changed;
        forgetWays();
    }

    /** Forgets which snapshots see which directories. */
    public void forgetWays() {
        levels.clear();
        aboveNamed.clear();
    }

    /** Returns whether the mount has a snapshot, or the rows of one. */
    boolean isEmpty() throws IOException {
        return all().isEmpty();
    }

    /** Positions of snapshots that have rows, from the first one on, and before the second. */
    Iterable<Long> positions(long from, long before) throws IOException {
        return all().subMap(from, true, before, false).keySet();
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

    /** The snapshot of a directory by its name, if it can be read. */
    public Optional<Snapshot> named(long directory, String name) throws IOException {
        NavigableMap<Long, Snapshot> unused = all();
        return Optional.ofNullable(byName.getOrDefault(directory, Map.of()).get(name));
    }

    /** Returns whether a directory, or one below it, has a snapshot with a name. */
    public boolean hasNamed(long directory) throws IOException {
        NavigableMap<Long, Snapshot> unused = all();
        if (aboveNamed.isEmpty()) {
            for (long each : byName.keySet()) {
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
            return all().headMap(before, false).descendingMap().values().stream()
                    .filter(each -> !each.dropped())
                    .findFirst();
        }
        Level level = level(directory);
        for (int i = 0; ; i++) {
            Optional<Snapshot> each = level.get(i);
            if (each.isEmpty() || each.get().position() < before) {
                return each;
            }
        }
    }

    /** Returns all snapshots that see the entries of a directory. */
    List<Snapshot> seeing(long directory) throws IOException {
        return HiddenDirectories.isHidden(directory)
                ? all().values().stream().filter(each -> !each.dropped()).toList()
                : level(directory).all();
    }

    private Level level(long directory) throws IOException {
        NavigableMap<Long, Snapshot> unused = all();
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
        boolean isDeep = way.size() > MOST_LEVELS;
        while (!way.isEmpty()) {
            Step step = way.pop();
            Level level = new Level(step, above, own(step.directory()));
            if (isDeep) {
                List<Snapshot> unusedSnapshots = level.all();
            }
            if (levels.size() >= MOST_CACHED) {
                levels.clear();
            }
            levels.put(step.directory(), level);
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

    /** The snapshots that see the entries of a directory, newest first. Each is looked for when it is asked for. */
    private final class Level {
        private final Step step;
        private final Optional<Level> above;
        private final List<Snapshot> own;
        private final List<Snapshot> found = new ArrayList<>();
        private int nextOwn;
        private int nextAbove;

        private Level(Step step, Optional<Level> above, List<Snapshot> own) {
            this.step = step;
            this.above = above;
            this.own = own;
        }

        private Optional<Snapshot> get(int index) throws IOException {
            while (found.size() <= index) {
                Optional<Snapshot> mine = nextOwn < own.size() ? Optional.of(own.get(nextOwn)) : Optional.empty();
                Optional<Snapshot> other = above.isPresent() ? above.get().get(nextAbove) : Optional.empty();
                if (mine.isEmpty() && other.isEmpty()) {
                    return Optional.empty();
                }
                long position = mine.map(Snapshot::position).orElse(-1L);
                long otherPosition = other.map(Snapshot::position).orElse(-1L);
                if (position >= otherPosition) {
                    found.add(mine.orElseThrow());
                    nextOwn++;
                    nextAbove += position == otherPosition ? 1 : 0;
                } else {
                    nextAbove++;
                    if (isOnTheWayOf(other.orElseThrow())) {
                        found.add(other.get());
                    }
                }
            }
            return Optional.of(found.get(index));
        }

        private boolean isOnTheWayOf(Snapshot snapshot) throws IOException {
            return entries.entry(step.link().orElseThrow(), snapshot)
                    .filter(inode -> inode.id() == step.directory())
                    .isPresent();
        }

        private List<Snapshot> all() throws IOException {
            boolean more = true;
            while (more) {
                more = get(found.size()).isPresent();
            }
            return List.copyOf(found);
        }
    }

    /** Returns whether a directory is pinned for a snapshot that can be read. */
    boolean isPinned(long directory) throws IOException {
        NavigableMap<Long, Snapshot> unused = all();
        return !pinned(directory).isEmpty();
    }

    /** The snapshots of a directory itself, and those that it is pinned for, newest first. */
    private List<Snapshot> own(long directory) throws IOException {
        List<Snapshot> found = new ArrayList<>(
                byDirectory.getOrDefault(directory, new TreeMap<>()).values());
        found.addAll(pinned(directory));
        found.sort(NEWEST_FIRST);
        return found;
    }

    private List<Snapshot> pinned(long directory) throws IOException {
        List<Snapshot> found = new ArrayList<>();
        rows.scan(Keys.numbered(Keys.PIN, directory), Keys.numbered(Keys.PIN, directory + 1), (key, value) -> {
            long owner = new Bytes.In(value).number();
            Optional.ofNullable(byDirectory.getOrDefault(owner, new TreeMap<>()).get(Keys.secondNumber(key)))
                    .ifPresent(found::add);
            return true;
        });
        return found;
    }
}
