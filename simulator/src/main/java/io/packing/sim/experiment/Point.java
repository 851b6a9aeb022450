package io.packing.sim.experiment;

import java.util.List;
import java.util.Map;

/**
 * One simulation of a sweep.
 *
 * @param labels the value of each axis, by the axis' name
 */
record Point(Map<String, String> labels, Task task) {
    Point {
        labels = Map.copyOf(labels);
    }

    /** Whether all that {@code selector} says of axes holds. */
    boolean is(Map<String, String> selector) {
        return selector.entrySet().stream().allMatch(e -> e.getValue().equals(labels.get(e.getKey())));
    }

    List<String> labels(List<Axis> axes) {
        return axes.stream()
                .map(axis -> String.valueOf(labels.get(axis.name())))
                .toList();
    }
}
