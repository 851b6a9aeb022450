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
 * One path: the states that it may be in, now and at every earlier moment of the round. Guarded by the model.
 *
 * <p>A path is <em>in doubt</em> after an operation on it whose outcome nobody was told; until it is seen in peace, both are
 * right and nobody touches it, so that two doubts never meet.
 */
final class Cell {
    private final List<Set<State>> history = new ArrayList<>();
    private final Map<Long, Version> versions = new LinkedHashMap<>();
    private boolean inDoubt;
    private boolean frozen;

    Cell() {
        history.add(Set.of(State.ABSENT));
    }

    /** A moment, for {@link #since}. */
    int now() {
        return history.size() - 1;
    }

    /** The states, without what may have been lost by right. */
    Set<State> states() {
        return history.get(now());
    }

    /** The same with it. */
    Set<State> possible(boolean uploaded) {
        return closure(states(), uploaded);
    }

    /** Every state that was possible at some time from a moment on. */
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

    /** Every version that was ever here: what may be read by mistake. */
    List<Version> versions() {
        return List.copyOf(versions.values());
    }

    /** The version with a content, which was here at some time. */
    Optional<Version> version(Content content) {
        return Optional.ofNullable(versions.get(content.seed()));
    }

    boolean isInDoubt() {
        return inDoubt;
    }

    void doubt() {
        inDoubt = true;
    }

    /** Not to be touched until the next checkpoint, since the loss of the table may undo what was done here. */
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
     * What the table was not told of, the store may know: a version whose blob was pushed and whose close was never
     * answered. A table that is made from the store may have it.
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

    /** New files of which nobody was told that they are there. */
    private List<Version> unanswered() {
        return versions.values().stream()
                .filter(version -> !version.isAcknowledged() && version.before().contains(State.ABSENT))
                .toList();
    }

    /** A version with the mode with which it was created here. */
    private Set<State> created(Version version) {
        return history.stream()
                .flatMap(Set::stream)
                .filter(state -> state.isFile() && state.version().equals(Optional.of(version)))
                .collect(Collectors.toSet());
    }

    /**
     * The states and what they may have become by the loss of directories.
     *
     * @param uploaded whether the mount promises that an acknowledged file is in the store; then one that never was
     *     acknowledged must not take the place of one that is
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
            // Its blob may have been pushed, and only the commit lost: a recovery finds it.
            all.add(State.file(version, state.mode()));
        }
        if (version.mayBeForgotten()) {
            version.before().forEach(earlier -> add(all, earlier, uploaded));
        }
    }
}
