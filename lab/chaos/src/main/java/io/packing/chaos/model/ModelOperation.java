// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * An operation as the model sees it: begun, and then done, refused, or never answered.
 *
 * @param what text for messages
 * @param created the version that it makes, if it makes one
 * @param steps allowed states of each path before and after it
 * @param moves paths whose file goes to another path: afterwards it is at one of the two, never at both
 * @param reads paths that it only reads, and that must not change while its outcome is unknown
 * @param namespace whether the loss of the table may undo it, so that lanes leave the path alone until a checkpoint
 * @param whole whether a state with only some of its paths changed is wrong
 */
public record ModelOperation(
        String what,
        Optional<Version> created,
        Map<String, Step> steps,
        Map<String, String> moves,
        Set<String> reads,
        boolean namespace,
        boolean whole) {
    /** The allowed states of one path before and after an operation. */
    record Step(Set<State> before, Set<State> after) {}

    public ModelOperation {
        steps = new LinkedHashMap<>(steps);
        moves = Map.copyOf(moves);
        reads = Set.copyOf(reads);
    }

    /** Makes a change that reads no other paths, and whose paths may change one by one. */
    static ModelOperation of(
            String what,
            Optional<Version> created,
            Map<String, Step> steps,
            Map<String, String> moves,
            boolean namespace) {
        return new ModelOperation(what, created, steps, moves, Set.of(), namespace, false);
    }

    /** Returns the allowed states of a path before and after this change. */
    Step step(String path) {
        return Objects.requireNonNull(steps.get(path), path);
    }

    /** Returns the paths that it changes, without the directories that it only implies. */
    List<String> changed() {
        return steps.entrySet().stream()
                .filter(step -> !step.getValue().before().equals(step.getValue().after()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the paths that it changes or reads. */
    List<String> touched() {
        return Stream.concat(changed().stream(), reads.stream()).distinct().toList();
    }

    @Override
    public String toString() {
        return what;
    }
}
