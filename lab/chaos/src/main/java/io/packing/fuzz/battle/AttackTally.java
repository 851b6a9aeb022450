// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.battle;

import java.util.Map;
import java.util.TreeMap;

/**
 * The work of a side.
 *
 * @param counts by name: calls, connections, honest operations, checked files
 * @param ends number of calls, connections or attempts, by their end
 */
public record AttackTally(Map<String, Long> counts, Map<String, Long> ends) {
    /** The tally without work. */
    public static final AttackTally NONE = new AttackTally(Map.of(), Map.of());

    public AttackTally {
        counts = Map.copyOf(counts);
        ends = Map.copyOf(ends);
    }

    /** Adds another side's tally. */
    public AttackTally plus(AttackTally other) {
        return new AttackTally(sum(counts, other.counts), sum(ends, other.ends));
    }

    /** Returns the count of a name; 0 for an unknown name. */
    public long count(String name) {
        return counts.getOrDefault(name, 0L);
    }

    private static Map<String, Long> sum(Map<String, Long> one, Map<String, Long> other) {
        Map<String, Long> sum = new TreeMap<>(one);
        other.forEach((name, count) -> sum.merge(name, count, Long::sum));
        return sum;
    }
}
