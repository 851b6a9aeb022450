// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The line above an experiment's table that names its input. */
final class Inputs {
    /** The most inputs that fit on a line. */
    private static final int MOST = 4;

    private Inputs() {}

    /** @param seeds the experiment, once for each seed */
    static String text(List<Experiment> seeds) {
        Set<String> texts = new LinkedHashSet<>();
        Set<Long> numbers = new TreeSet<>();
        for (Experiment experiment : seeds) {
            for (Point point : experiment.points()) {
                Input input = point.task().input();
                texts.add(input.text());
                input.seed().ifPresent(numbers::add);
            }
        }
        String all = texts.size() <= MOST
                ? String.join("; ", texts)
                : "%s; and %d others, see results.json"
                        .formatted(texts.iterator().next(), texts.size() - 1);
        return switch (numbers.size()) {
            case 0 -> all;
            case 1 ->
                "%s; seed %d (last digits are chance: --seeds 3 shows the range)"
                        .formatted(all, numbers.iterator().next());
            default ->
                "%s; seeds %s"
                        .formatted(all, numbers.stream().map(String::valueOf).collect(Collectors.joining(", ")));
        };
    }
}
