// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import java.util.List;
import java.util.Map;

/**
 * A simulation of a sweep.
 *
 * @param labels the value of each axis, by the axis' name
 */
record Point(Map<String, String> labels, Task task) {
    Point {
        labels = Map.copyOf(labels);
    }

    /** Returns whether the point has all labels of a selector. */
    boolean is(Map<String, String> selector) {
        return selector.entrySet().stream().allMatch(e -> e.getValue().equals(labels.get(e.getKey())));
    }

    List<String> labels(List<Axis> axes) {
        return axes.stream()
                .map(axis -> String.valueOf(labels.get(axis.name())))
                .toList();
    }
}
