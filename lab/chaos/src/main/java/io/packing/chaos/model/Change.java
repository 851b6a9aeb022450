package io.packing.chaos.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One operation as it changes paths: begun, and then done, refused, or never answered.
 *
 * @param what for messages
 * @param created the version that it makes, if it makes one
 * @param steps what each path may be before and after it
 * @param moves paths whose file goes to another path: afterwards it is at one of the two, never at both
 * @param reads paths that it leaves as they are, but that must not change while nobody knows whether it took place
 * @param namespace whether the loss of the table may undo it, so that the path is left alone until a checkpoint
 * @param whole whether it is wrong when some of its paths are as after it, and others as before
 */
public record Change(
        String what,
        Optional<Version> created,
        Map<String, Step> steps,
        Map<String, String> moves,
        Set<String> reads,
        boolean namespace,
        boolean whole) {
    /** What one path may be before and after. */
    record Step(Set<State> before, Set<State> after) {}

    public Change {
        steps = new LinkedHashMap<>(steps);
        moves = Map.copyOf(moves);
        reads = Set.copyOf(reads);
    }

    /** One that neither reads other paths nor promises that its own change together. */
    static Change of(
            String what,
            Optional<Version> created,
            Map<String, Step> steps,
            Map<String, String> moves,
            boolean namespace) {
        return new Change(what, created, steps, moves, Set.of(), namespace, false);
    }

    /** What one of its paths may be before and after. */
    Step step(String path) {
        return Objects.requireNonNull(steps.get(path), path);
    }

    /** The paths that it changes; directories that it only implies are not among them. */
    List<String> changed() {
        return steps.entrySet().stream()
                .filter(step -> !step.getValue().before().equals(step.getValue().after()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The same, and what it reads. */
    List<String> touched() {
        return Stream.concat(changed().stream(), reads.stream()).distinct().toList();
    }

    @Override
    public String toString() {
        return what;
    }
}
