// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The loads that one process of the generator does one after the other, with equally warm clients.
 *
 * @param pause before each load but the first, in which the servers finish the work of the load before
 */
public record LoadSequence(List<ClusterLoadSpec> loads, Duration pause) {
    private static final String LOAD = "load";
    private static final String PAUSE = "pause-ms";

    public LoadSequence {
        loads = List.copyOf(loads);
        if (loads.isEmpty() || pause.isNegative()) {
            throw new IllegalArgumentException("%d loads with pauses of %s".formatted(loads.size(), pause));
        }
    }

    public static LoadSequence of(ClusterLoadSpec load) {
        return new LoadSequence(List.of(load), Duration.ZERO);
    }

    /** Returns the number of files of all loads together. */
    public long files() {
        return loads.stream().mapToLong(ClusterLoadSpec::files).sum();
    }

    /** Returns the words that {@link #fromArguments} reads. */
    public List<String> toArguments() {
        List<String> words = new ArrayList<>(List.of(PAUSE + "=" + pause.toMillis()));
        for (ClusterLoadSpec load : loads) {
            words.add(LOAD);
            words.addAll(load.toArguments());
        }
        return words;
    }

    /** Reads the words of {@link #toArguments} and ignores words before them. */
    static LoadSequence fromArguments(List<String> arguments) {
        List<ClusterLoadSpec> loads = new ArrayList<>();
        int end = arguments.size();
        for (int at = arguments.lastIndexOf(LOAD);
                at >= 0;
                at = arguments.subList(0, end).lastIndexOf(LOAD)) {
            loads.add(0, ClusterLoadSpec.fromArguments(arguments.subList(at + 1, end)));
            end = at;
        }
        List<String> pauses = ClusterLoadSpec.values(arguments.subList(0, end), PAUSE);
        if (pauses.size() != 1) {
            throw new IllegalArgumentException("not one " + PAUSE + "=");
        }
        return new LoadSequence(loads, Duration.ofMillis(Long.parseLong(pauses.get(0))));
    }
}
