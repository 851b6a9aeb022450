// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Snapshot;
import io.packing.bdt.master.table.row.WriteSet;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The snapshots of a mount in memory, by position, directory and name. A directory with a history has a hundred thousand of them: each change
 * costs as much as it takes to find one, and what a mutation changed is taken back one by one. Confined to the writer thread.
 */
final class KnownSnapshots {
    private static final NavigableMap<Long, Snapshot> NONE = Collections.emptyNavigableMap();
    private static final NavigableMap<String, Snapshot> NO_NAMES = Collections.emptyNavigableMap();

    private final WriteSet rows;
    private final DroppedSnapshots flag;
    /** All snapshots that have rows, dropped ones among them. A position has at most one. */
    private final NavigableMap<Long, Snapshot> all = new TreeMap<>();

    private final NavigableMap<Long, Snapshot> dropped = new TreeMap<>();
    /** Those of each directory, without dropped ones. */
    private final Map<Long, NavigableMap<Long, Snapshot>> byDirectory = new HashMap<>();

    private final Map<Long, NavigableMap<String, Snapshot>> byName = new HashMap<>();
    /** The former snapshots of positions that the mutation under way changed, newest change first. */
    private final Deque<Before> ofMutation = new ArrayDeque<>();
    /** As the other, before the batch under way. */
    private final Deque<Before> ofBatch = new ArrayDeque<>();

    private boolean stale = true;

    private record Before(long position, Optional<Snapshot> snapshot) {}

    KnownSnapshots(WriteSet rows, DroppedSnapshots flag) {
        this.rows = rows;
        this.flag = flag;
    }

    private void load() throws IOException {
        if (stale) {
            rows.scan(Keys.kind(Keys.SNAPSHOT), Keys.kindEnd(Keys.SNAPSHOT), (key, value) -> {
                enter(Snapshot.decode(key, value));
                return true;
            });
            stale = false;
            flag.are(!dropped.isEmpty());
        }
    }

    /** Returns all by their positions, dropped ones among them. */
    NavigableMap<Long, Snapshot> all() throws IOException {
        load();
        return all;
    }

    /** Returns those of a directory that can be read, by their positions. */
    NavigableMap<Long, Snapshot> of(long directory) throws IOException {
        load();
        return byDirectory.getOrDefault(directory, NONE);
    }

    /** Returns the directories that have a snapshot that can be read. */
    Set<Long> owners() throws IOException {
        load();
        return byDirectory.keySet();
    }

    /** Returns those of a directory that have names, in the order of these. */
    NavigableMap<String, Snapshot> named(long directory) throws IOException {
        load();
        return byName.getOrDefault(directory, NO_NAMES);
    }

    /** Returns the directories that have a snapshot with a name. */
    Set<Long> named() throws IOException {
        load();
        return byName.keySet();
    }

    /** Returns the oldest one whose rows of the past are to be cleaned up. */
    Optional<Snapshot> dropped() throws IOException {
        load();
        return Optional.ofNullable(dropped.firstEntry()).map(Map.Entry::getValue);
    }

    /** Writes one that is new, or has another name, or is dropped. */
    void put(Snapshot snapshot) throws IOException {
        load();
        Optional<Snapshot> before = change(snapshot.position(), Optional.of(snapshot));
        before.ifPresent(this::deleteName);
        rows.put(snapshot.key(), snapshot.encode());
        if (isNamed(snapshot)) {
            rows.put(snapshot.keyByName(), position(snapshot));
        }
    }

    /** Removes one whose rows of the past were cleaned up. */
    void remove(Snapshot snapshot) throws IOException {
        load();
        Optional<Snapshot> before = change(snapshot.position(), Optional.empty());
        before.ifPresent(this::deleteName);
        rows.delete(snapshot.key());
    }

    private void deleteName(Snapshot snapshot) {
        if (isNamed(snapshot)) {
            rows.delete(snapshot.keyByName());
        }
    }

    private static boolean isNamed(Snapshot snapshot) {
        return !snapshot.dropped() && !snapshot.isHidden();
    }

    private static byte[] position(Snapshot snapshot) {
        return new Bytes.Out().number(snapshot.position()).toBytes();
    }

    private Optional<Snapshot> change(long position, Optional<Snapshot> now) {
        Optional<Snapshot> before = set(position, now);
        ofMutation.push(new Before(position, before));
        return before;
    }

    private Optional<Snapshot> set(long position, Optional<Snapshot> now) {
        Optional<Snapshot> before = Optional.ofNullable(all.remove(position));
        before.ifPresent(this::leave);
        now.ifPresent(this::enter);
        return before;
    }

    private void enter(Snapshot read) {
        NavigableMap<Long, Snapshot> others = byDirectory.getOrDefault(read.directory(), NONE);
        Snapshot snapshot = others.isEmpty()
                ? read
                : read.sharing(others.lastEntry().getValue().root());
        all.put(snapshot.position(), snapshot);
        if (snapshot.dropped()) {
            dropped.put(snapshot.position(), snapshot);
            return;
        }
        byDirectory
                .computeIfAbsent(snapshot.directory(), directory -> new TreeMap<>())
                .put(snapshot.position(), snapshot);
        if (!snapshot.isHidden()) {
            byName.computeIfAbsent(snapshot.directory(), directory -> new TreeMap<>())
                    .put(snapshot.name(), snapshot);
        }
    }

    private void leave(Snapshot snapshot) {
        dropped.remove(snapshot.position());
        NavigableMap<Long, Snapshot> others = byDirectory.getOrDefault(snapshot.directory(), new TreeMap<>());
        others.remove(snapshot.position());
        if (others.isEmpty()) {
            byDirectory.remove(snapshot.directory());
        }
        NavigableMap<String, Snapshot> names = byName.getOrDefault(snapshot.directory(), new TreeMap<>());
        if (snapshot.equals(names.get(snapshot.name()))) {
            names.remove(snapshot.name());
        }
        if (names.isEmpty()) {
            byName.remove(snapshot.directory());
        }
    }

    /** Keeps what the mutation under way changed, as long as its batch is kept. */
    void accept() {
        while (!ofMutation.isEmpty()) {
            ofBatch.push(ofMutation.removeLast());
        }
    }

    /** Takes back what the mutation under way changed. */
    void reject() {
        takeBack(ofMutation);
    }

    /** Takes back what the batch under way changed. */
    void abandon() {
        takeBack(ofMutation);
        takeBack(ofBatch);
        flag.are(stale || !dropped.isEmpty());
    }

    private void takeBack(Deque<Before> changes) {
        while (!changes.isEmpty()) {
            Before last = changes.pop();
            Optional<Snapshot> unused = set(last.position(), last.snapshot());
        }
    }

    /** The batch under way was written. */
    void written() {
        ofBatch.clear();
        ofMutation.clear();
        if (!stale) {
            flag.are(!dropped.isEmpty());
        }
    }

    /**
     * Makes the rows by name those of the snapshots: an earlier version of a master wrote none, and may have written the table meanwhile.
     * Returns whether there was anything to do.
     */
    boolean completeNames() throws IOException {
        load();
        Map<Long, Map<String, Long>> written = new HashMap<>();
        rows.scan(Keys.kind(Keys.SNAPSHOT_NAME), Keys.kindEnd(Keys.SNAPSHOT_NAME), (key, value) -> {
            written.computeIfAbsent(Keys.number(key), directory -> new HashMap<>())
                    .put(Keys.entryName(key), new Bytes.In(value).number());
            return true;
        });
        boolean changed = false;
        for (Map.Entry<Long, NavigableMap<String, Snapshot>> each : byName.entrySet()) {
            Map<String, Long> known = written.getOrDefault(each.getKey(), new HashMap<>());
            for (Snapshot snapshot : each.getValue().values()) {
                Optional<Long> position = Optional.ofNullable(known.remove(snapshot.name()));
                if (position.isEmpty() || position.get() != snapshot.position()) {
                    rows.put(snapshot.keyByName(), position(snapshot));
                    changed = true;
                }
            }
        }
        for (Map.Entry<Long, Map<String, Long>> each : written.entrySet()) {
            for (String name : each.getValue().keySet()) {
                rows.delete(Keys.snapshotName(each.getKey(), name));
                changed = true;
            }
        }
        return changed;
    }
}
