// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.model;

import io.packing.chaos.model.ModelOperation.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The answers that clients got in a round, and the states of every path that they allow. Thread-safe.
 *
 * <p>An operation begins in the model before its client sends it: from then on both outcomes are possible. An answer
 * leaves one of them. Without an answer both stay until a client sees the new one, or until a check in peace (see
 * {@link #settle}).
 */
public final class Model {
    /** The name below which a directory shows its snapshots, which never change. */
    public static final String SNAPSHOTS = "/.snapshot/";

    private final boolean uploaded;
    private final boolean tailMayBeLost;
    private final NavigableMap<String, PathStates> cells = new TreeMap<>();
    /** The changes of the namespace since the last checkpoint, which a loss of the table may undo. */
    private final List<ModelOperation> tail = new ArrayList<>();

    private final List<ModelOperation> doubtful = new ArrayList<>();

    /**
     * @param uploaded whether the mount keeps each acknowledged file in the store
     * @param tailMayBeLost whether the table may be lost without a checkpoint right before: then no path is changed
     *     twice between two checkpoints
     */
    public Model(boolean uploaded, boolean tailMayBeLost) {
        this.uploaded = uploaded;
        this.tailMayBeLost = tailMayBeLost;
    }

    private PathStates cell(String path) {
        return cells.computeIfAbsent(path, unseen -> new PathStates());
    }

    /** Returns all paths that ever had a name in the round. */
    public synchronized List<String> paths() {
        return List.copyOf(cells.keySet());
    }

    /** Returns the paths below a directory that have one certain state and may be changed, with their states. */
    public synchronized Map<String, State> certain(String directory) {
        Map<String, State> found = new LinkedHashMap<>();
        below(directory).forEach((path, cell) -> {
            Set<State> possible = cell.possible(uploaded);
            if (cell.isTouchable() && possible.size() == 1 && !path.contains(SNAPSHOTS)) {
                found.put(path, possible.iterator().next());
            }
        });
        return found;
    }

    private NavigableMap<String, PathStates> below(String directory) {
        return cells.subMap(directory + "/", true, directory + "0", false);
    }

    /** Returns whether a whole tree may be moved or deleted: no path in it is in doubt. */
    public synchronized boolean isCertain(String directory) {
        return cell(directory).isTouchable()
                && cell(directory).possible(uploaded).equals(Set.of(State.DIRECTORY))
                && below(directory).values().stream()
                        .allMatch(cell -> cell.isTouchable()
                                && (cell.possible(uploaded).size() == 1
                                        || cell.possible(uploaded).contains(State.DIRECTORY)));
    }

    /** Returns whether a path may be changed: neither the path nor a directory above it is in doubt. */
    public synchronized boolean isTouchable(String path) {
        for (int slash = path.length(); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
            PathStates cell = cells.get(path.substring(0, slash));
            if (cell != null && !cell.isTouchable()) {
                return false;
            }
        }
        return true;
    }

    /** Returns the possible states of a path. */
    public synchronized Set<State> possible(String path) {
        return cell(path).possible(uploaded);
    }

    /** Returns the current moment of a path, for {@link #observe}. */
    public synchronized int moment(String path) {
        return cell(path).now();
    }

    /** Returns all contents that a path ever had, for comparison with a read. */
    public synchronized List<SeededContent> contents(String path) {
        return cell(path).versions().stream().map(Version::content).toList();
    }

    /** Begins to write a file. */
    public synchronized ModelOperation create(String path, SeededContent content, int mode) {
        Set<State> before = cell(path).states();
        Version version = new Version(content, before);
        Map<String, Step> steps = new LinkedHashMap<>();
        impliedAbove(path, steps);
        steps.put(path, new Step(before, Set.of(State.file(version, mode))));
        return begin(ModelOperation.of("create " + path, Optional.of(version), steps, Map.of(), false));
    }

    /**
     * Adds the directories above a path, which a file's create implies. They may stay or go after the file's delete.
     */
    private void impliedAbove(String path, Map<String, Step> steps) {
        for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
            PathStates above = cell(path.substring(0, slash));
            if (above.states().contains(State.ABSENT)) {
                Set<State> either = Set.of(State.ABSENT, State.DIRECTORY);
                steps.put(path.substring(0, slash), new Step(either, either));
            }
        }
    }

    /** Begins to make a directory. */
    public synchronized ModelOperation mkdir(String path) {
        Map<String, Step> steps = new LinkedHashMap<>();
        impliedAbove(path, steps);
        steps.put(path, new Step(cell(path).states(), Set.of(State.DIRECTORY)));
        return begin(ModelOperation.of("mkdir " + path, Optional.empty(), steps, Map.of(), true));
    }

    /** Begins to delete a file, or a tree. */
    public synchronized ModelOperation delete(String path) {
        Map<String, Step> steps = new LinkedHashMap<>();
        steps.put(path, new Step(cell(path).states(), Set.of(State.ABSENT)));
        below(path).forEach((each, cell) -> steps.put(each, new Step(cell.states(), Set.of(State.ABSENT))));
        return begin(ModelOperation.of("delete " + path, Optional.empty(), steps, Map.of(), true));
    }

    /** Begins to move a file or a tree to a free path. */
    public synchronized ModelOperation rename(String from, String to) {
        Map<String, Step> steps = new LinkedHashMap<>();
        Map<String, String> moves = new LinkedHashMap<>();
        Map<String, PathStates> moved = new LinkedHashMap<>(below(from));
        moved.put(from, cell(from));
        moved.forEach((path, cell) -> {
            String target = to + path.substring(from.length());
            steps.put(path, new Step(cell.states(), Set.of(State.ABSENT)));
            steps.put(target, new Step(cell(target).states(), cell.states()));
            moves.put(path, target);
        });
        return begin(ModelOperation.of("rename %s to %s".formatted(from, to), Optional.empty(), steps, moves, true));
    }

    /** Begins a vector of operations; no two of them share a path. */
    public synchronized ModelOperation vector(List<Part> parts) {
        Map<String, Step> steps = new LinkedHashMap<>();
        Map<String, String> moves = new LinkedHashMap<>();
        Set<String> reads = new LinkedHashSet<>();
        for (Part part : parts) {
            Set<State> before = cell(part.path()).states();
            if (part.kind() == Part.Kind.CLONE) {
                reads.add(part.path());
            } else {
                steps.put(part.path(), new Step(before, Set.of(State.ABSENT)));
            }
            if (part.kind() == Part.Kind.RENAME) {
                moves.put(part.path(), part.target());
            }
            if (part.kind() != Part.Kind.DELETE) {
                steps.put(part.target(), new Step(cell(part.target()).states(), before));
            }
        }
        return begin(new ModelOperation("vector " + parts, Optional.empty(), steps, moves, reads, true, true));
    }

    /** Begins to take a snapshot of a directory: the snapshot's paths get the directory's current states. */
    public synchronized ModelOperation takeSnapshot(String directory, String name) {
        String top = snapshot(directory, name);
        Map<String, Step> steps = new LinkedHashMap<>();
        steps.put(top, new Step(cell(top).states(), Set.of(State.DIRECTORY)));
        Map<String, PathStates> seen = new LinkedHashMap<>(below(directory));
        seen.forEach((path, cell) -> {
            if (!path.startsWith(directory + SNAPSHOTS)) {
                String at = top + path.substring(directory.length());
                steps.put(at, new Step(cell(at).states(), cell.states()));
            }
        });
        return begin(new ModelOperation("snapshot " + top, Optional.empty(), steps, Map.of(), Set.of(), true, true));
    }

    /** Begins to drop a snapshot. */
    public synchronized ModelOperation dropSnapshot(String directory, String name) {
        ModelOperation all = delete(snapshot(directory, name));
        return new ModelOperation("drop " + all.what(), Optional.empty(), all.steps(), Map.of(), Set.of(), true, true);
    }

    /** Returns the path of a snapshot. */
    public static String snapshot(String directory, String name) {
        return directory + SNAPSHOTS + name;
    }

    /** Begins to change the mode of a file. */
    public synchronized ModelOperation chmod(String path, int mode) {
        Set<State> before = cell(path).states();
        Set<State> after = before.stream()
                .map(state -> state.isFile() ? State.file(state.version().orElseThrow(), mode) : state)
                .collect(Collectors.toSet());
        return begin(ModelOperation.of(
                "chmod " + path, Optional.empty(), Map.of(path, new Step(before, after)), Map.of(), true));
    }

    private ModelOperation begin(ModelOperation change) {
        change.steps().forEach((path, step) -> {
            Set<State> both = new LinkedHashSet<>(step.before());
            both.addAll(step.after());
            cell(path).set(both);
        });
        return change;
    }

    /** Records the acknowledgement of a change. */
    public synchronized void done(ModelOperation change) {
        change.steps().forEach((path, step) -> cell(path).set(step.after()));
        change.created().ifPresent(version -> {
            version.acknowledge();
            if (uploaded) {
                version.store();
            }
        });
        if (change.namespace()) {
            tail.add(change);
            if (tailMayBeLost) {
                change.touched().forEach(path -> cell(path).freeze());
            }
        }
    }

    /** Records the refusal of a change, which then had no effect. */
    public synchronized void refused(ModelOperation change) {
        change.steps().forEach((path, step) -> cell(path).set(step.before()));
    }

    /** Records a change whose outcome is unknown. */
    public synchronized void unknown(ModelOperation change) {
        change.touched().forEach(path -> cell(path).doubt());
        change.created().ifPresent(Version::wasNotAnswered);
        doubtful.add(change);
    }

    /** Records a race of exclusive creates of one new path; each acknowledged one claims to be the only one. */
    public synchronized void race(
            String path, List<ModelOperation> all, List<ModelOperation> acknowledged, List<ModelOperation> unknown) {
        Set<State> before = all.get(0).step(path).before();
        all.forEach(change -> change.created().ifPresent(version -> version.createdOver(before)));
        Set<State> after = new LinkedHashSet<>();
        acknowledged.forEach(change -> after.addAll(change.step(path).after()));
        acknowledged.forEach(change -> change.created().ifPresent(version -> {
            version.acknowledge();
            if (uploaded) {
                version.store();
            }
        }));
        if (acknowledged.isEmpty()) {
            after.addAll(before);
            unknown.forEach(change -> after.addAll(change.step(path).after()));
        }
        cell(path).set(after);
        if (!unknown.isEmpty()) {
            cell(path).doubt();
        }
    }

    /** Returns the acknowledged versions; a flush that begins later stores them. */
    public synchronized List<Version> acknowledged() {
        return cells.values().stream()
                .flatMap(cell -> cell.versions().stream())
                .filter(Version::isAcknowledged)
                .toList();
    }

    /** Records the acknowledgement of a flush. */
    public synchronized void flushed(List<Version> versions) {
        // A flush does not bring back a version that was lost before.
        versions.stream().filter(version -> !version.mayBeLost()).forEach(Version::store);
    }

    /** Returns the changes that a checkpoint covers if it begins now. */
    public synchronized List<ModelOperation> beforeCheckpoint() {
        return List.copyOf(tail);
    }

    /** Records the acknowledgement of a checkpoint. */
    public synchronized void checkpointed(List<ModelOperation> covered) {
        tail.removeAll(covered);
        covered.forEach(change -> change.touched().forEach(path -> cell(path).thaw()));
    }

    /** Records the loss of a worker's directory: files that the store does not have may be lost. */
    public synchronized void bufferLost() {
        cells.values().forEach(cell -> cell.versions().forEach(Version::loseBuffer));
    }

    /** Records the loss of the master's directory: changes since the last checkpoint may be undone. */
    public synchronized void tableLost() {
        cells.values().forEach(cell -> cell.versions().forEach(Version::loseTable));
        cells.values().forEach(PathStates::tableLost);
        for (ModelOperation change : tail) {
            change.steps().forEach((path, step) -> {
                Set<State> either = new LinkedHashSet<>(cell(path).states());
                addWithEarlier(either, step.before());
                cell(path).set(either);
            });
            change.touched().forEach(path -> cell(path).doubt());
            doubtful.add(change);
        }
        tail.clear();
    }

    /** Adds states, and also the versions that they replaced in a buffer, which the worker has forgotten. */
    private static void addWithEarlier(Set<State> all, Set<State> states) {
        for (State state : states) {
            if (all.add(state)) {
                state.version().ifPresent(version -> addWithEarlier(all, version.before()));
            }
        }
    }

    /**
     * Judges a sight of a client whose request began at a moment.
     *
     * @return the violation, if the sight is not allowed
     */
    public synchronized Optional<Violation> observe(String path, int moment, Observation sight) {
        PathStates cell = cell(path);
        Set<State> allowed = cell.since(moment, uploaded);
        if (allowed.stream().anyMatch(state -> Judge.fits(state, sight))) {
            if (cell.isInDoubt()) {
                seen(cell, sight);
            }
            return Optional.empty();
        }
        Optional<Version> version = sight.content().flatMap(cell::version);
        return Optional.of(new Violation(
                Judge.kind(allowed, sight, version),
                path,
                "%s, right would be %s".formatted(Judge.describe(sight, version), allowed)));
    }

    /** Acknowledges a version that a client has seen: it must stay from now on. */
    private static void seen(PathStates cell, Observation sight) {
        Set<State> left =
                cell.states().stream().filter(state -> Judge.fits(state, sight)).collect(Collectors.toSet());
        boolean isNew = left.size() == 1
                && left.stream()
                        .allMatch(state ->
                                state.isFile() && !state.version().orElseThrow().isAcknowledged());
        if (isNew) {
            cell.set(left);
            left.forEach(state -> state.version().orElseThrow().acknowledge());
        }
    }

    /**
     * Judges the sights of every path, seen while all processes ran and no client worked. Each path keeps only the
     * states that fit its sight.
     */
    public synchronized List<Violation> settle(Map<String, Observation> sights) {
        List<Violation> wrong = new ArrayList<>();
        sights.forEach((path, sight) -> observe(path, cell(path).now(), sight).ifPresent(wrong::add));
        for (ModelOperation change : doubtful) {
            change.moves()
                    .forEach((from, to) -> Judge.moved(change, from, to, sights).ifPresent(wrong::add));
            Judge.half(change, sights, uploaded).ifPresent(wrong::add);
        }
        doubtful.clear();
        sights.forEach((path, sight) -> {
            PathStates cell = cell(path);
            Set<State> left = cell.possible(uploaded).stream()
                    .filter(state -> Judge.fits(state, sight))
                    .collect(Collectors.toSet());
            // After a violation the allowed states stay: a later check that sees it again reports it again.
            cell.set(left.isEmpty() ? cell.states() : left);
            cell.settle();
        });
        tail.forEach(change -> {
            if (tailMayBeLost) {
                change.touched().forEach(path -> cell(path).freeze());
            }
        });
        return wrong;
    }
}
