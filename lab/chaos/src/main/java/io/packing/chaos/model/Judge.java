// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.model;

import io.packing.chaos.model.State.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The rules that compare a sight with the allowed states. Guarded by the model. */
final class Judge {
    private Judge() {}

    static boolean fits(State state, Observation sight) {
        if (state.kind() != sight.kind()) {
            return false;
        }
        return !state.isFile()
                || (sight.content()
                                .map(state.version().orElseThrow().content()::looksLike)
                                .orElse(false)
                        && sight.mode().map(mode -> mode == state.mode()).orElse(true));
    }

    static Violation.Kind kind(Set<State> allowed, Observation sight, Optional<Version> version) {
        boolean nothingAllowed = allowed.equals(Set.of(State.ABSENT));
        if (sight.kind() == Kind.ABSENT || (sight.kind() == Kind.LOST && !nothingAllowed)) {
            return Violation.Kind.LOST;
        }
        if (nothingAllowed) {
            return Violation.Kind.RETURNED;
        }
        boolean old = version.isPresent()
                && allowed.stream().noneMatch(state -> state.version().equals(version));
        return old ? Violation.Kind.RETURNED : Violation.Kind.WRONG;
    }

    static String describe(Observation sight, Optional<Version> version) {
        return version.map(seen -> "%s is there, mode %s"
                        .formatted(
                                seen, sight.mode().map(Integer::toOctalString).orElse("unknown")))
                .orElse("%s: %s".formatted(sight.kind(), sight.text()));
    }

    /** Checks that a file is at exactly one of the two paths of its move. */
    static Optional<Violation> moved(ModelOperation change, String from, String to, Map<String, Observation> sights) {
        Observation before = sights.getOrDefault(from, Observation.ABSENT);
        Observation after = sights.getOrDefault(to, Observation.ABSENT);
        boolean both = before.kind() == Kind.FILE
                && after.kind() == Kind.FILE
                && before.content().equals(after.content());
        if (both) {
            return Optional.of(
                    new Violation(Violation.Kind.RETURNED, from, "it is both there and at %s".formatted(to)));
        }
        boolean none = before.kind() == Kind.ABSENT && after.kind() == Kind.ABSENT;
        boolean stays = change.step(from).before().stream()
                .allMatch(state ->
                        state.isFile() && !state.version().orElseThrow().mayBeLost());
        return none && stays
                ? Optional.of(new Violation(Violation.Kind.LOST, from, "neither there nor at %s".formatted(to)))
                : Optional.empty();
    }
    /** Checks that all paths of a whole change show it, or none. */
    static Optional<Violation> half(ModelOperation change, Map<String, Observation> sights, boolean uploaded) {
        Optional<String> done = Optional.empty();
        Optional<String> undone = Optional.empty();
        for (String path : change.whole() ? change.changed() : List.<String>of()) {
            Observation sight = sights.getOrDefault(path, Observation.ABSENT);
            boolean before = mayBe(change.step(path).before(), sight, uploaded);
            boolean after = mayBe(change.step(path).after(), sight, uploaded);
            done = after && !before ? Optional.of(path) : done;
            undone = before && !after ? Optional.of(path) : undone;
        }
        return done.isPresent() && undone.isPresent()
                ? Optional.of(new Violation(
                        Violation.Kind.WRONG,
                        done.get(),
                        "half of %s: it did not reach %s".formatted(change, undone.get())))
                : Optional.empty();
    }

    private static boolean mayBe(Set<State> states, Observation sight, boolean uploaded) {
        return PathStates.closure(states, uploaded).stream().anyMatch(state -> fits(state, sight));
    }
}
