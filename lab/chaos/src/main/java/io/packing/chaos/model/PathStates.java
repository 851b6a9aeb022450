// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The states that one path may have, now and at every earlier moment of the round. Guarded by the model.
 *
 * <p>A path is <em>in doubt</em> after an operation on it without an answer. Until a check sees the path in peace, both
 * outcomes are right, and lanes leave the path alone, so that two doubts never meet.
 */
final class PathStates {
    private final List<Set<State>> history = new ArrayList<>();
    private final Map<Long, Version> versions = new LinkedHashMap<>();
    private boolean inDoubt;
    private boolean frozen;

    PathStates() {
        history.add(Set.of(State.ABSENT));
    }

    /** Returns the current moment, for {@link #since}. */
    int now() {
        return history.size() - 1;
    }

    /** Returns the states, without losses that the durability allows. */
    Set<State> states() {
        return history.get(now());
    }

    /** Returns the states, with losses that the durability allows. */
    Set<State> possible(boolean uploaded) {
        return closure(states(), uploaded);
    }

    /** Returns every state that was possible at a time since a moment. */
    Set<State> since(int moment, boolean uploaded) {
        Set<State> all = new LinkedHashSet<>();
        for (Set<State> each : history.subList(moment, history.size())) {
            all.addAll(each);
        }
        return closure(all, uploaded);
    }

    void set(Set<State> states) {
        history.add(Set.copyOf(states));
        states.forEach(state -> state.version()
                .ifPresent(version -> versions.put(version.content().seed(), version)));
    }

    /** Returns every version that the path ever had: a faulty read may return any of them. */
    List<Version> versions() {
        return List.copyOf(versions.values());
    }

    /** Returns the version with a content, if the path ever had it. */
    Optional<Version> version(SeededContent content) {
        return Optional.ofNullable(versions.get(content.seed()));
    }

    boolean isInDoubt() {
        return inDoubt;
    }

    void doubt() {
        inDoubt = true;
    }

    /** Forbids changes of this path until the next checkpoint, since a loss of the table may undo the last one. */
    void freeze() {
        frozen = true;
    }

    void thaw() {
        frozen = false;
    }

    void settle() {
        inDoubt = false;
        frozen = false;
    }

    boolean isTouchable() {
        return !inDoubt && !frozen;
    }

    /**
     * Allows versions that a table recovered from the store may show: their blobs were pushed, and their closes got no
     * answer.
     */
    void tableLost() {
        Set<State> all = new LinkedHashSet<>(states());
        for (State state : states()) {
            List<Version> others = state.version()
                    .map(Version::unanswered)
                    .orElseGet(() -> state.equals(State.ABSENT) ? unanswered() : List.of());
            for (Version other : others) {
                all.add(State.file(other, state.mode()));
                all.addAll(created(other));
            }
        }
        if (all.size() > states().size()) {
            set(all);
            doubt();
        }
    }

    /** Returns new files whose create got no answer. */
    private List<Version> unanswered() {
        return versions.values().stream()
                .filter(version -> !version.isAcknowledged() && version.before().contains(State.ABSENT))
                .toList();
    }

    /** Returns the states of a version that was created here. */
    private Set<State> created(Version version) {
        return history.stream()
                .flatMap(Set::stream)
                .filter(state -> state.isFile() && state.version().equals(Optional.of(version)))
                .collect(Collectors.toSet());
    }

    /**
     * Returns the states, and those that they may have become by the loss of directories.
     *
     * @param uploaded whether the mount keeps each acknowledged file in the store; then a version without an
     *     acknowledgement must not replace one with it
     */
    static Set<State> closure(Set<State> states, boolean uploaded) {
        Set<State> all = new LinkedHashSet<>();
        for (State state : states) {
            add(all, state, uploaded);
        }
        return all;
    }

    private static void add(Set<State> all, State state, boolean uploaded) {
        if (!all.add(state) || state.version().isEmpty()) {
            return;
        }
        Version version = state.version().get();
        if (version.mayBeLost() && (!uploaded || version.before().contains(State.ABSENT))) {
            all.add(State.lost(version, state.mode()));
        }
        if (state.kind() == State.Kind.LOST) {
            // The blob may have been pushed, and only the commit lost: a recovery finds the blob.
            all.add(State.file(version, state.mode()));
        }
        if (version.mayBeForgotten()) {
            version.before().forEach(earlier -> add(all, earlier, uploaded));
        }
    }
}
