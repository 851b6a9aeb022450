// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The sums by name, in which every statistic leaves a task: the totals of two parts of a trace are added.
 *
 * <p>A name is a list of words, such as {@code io, compaction, read}. Confined to one thread.
 */
final class Totals {
    private static final String SEPARATOR = "\t";

    private final Map<String, Long> sums = new TreeMap<>();

    void add(long value, String... words) {
        if (value != 0) {
            sums.merge(String.join(SEPARATOR, words), value, Long::sum);
        }
    }

    /** Adds to a name in the form of {@link #sums}. */
    void addNamed(String name, long value) {
        sums.merge(name, value, Long::sum);
    }

    long get(String... words) {
        return sums.getOrDefault(String.join(SEPARATOR, words), 0L);
    }

    /** Returns all sums by their joined names. */
    Map<String, Long> sums() {
        return sums;
    }

    /** Returns the sums whose names begin with these words, by the next word, in the order of that word. */
    Map<String, Long> below(String... words) {
        String prefix = String.join(SEPARATOR, words) + SEPARATOR;
        Map<String, Long> found = new LinkedHashMap<>();
        sums.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                String rest = name.substring(prefix.length());
                int end = rest.indexOf(SEPARATOR);
                found.merge(end < 0 ? rest : rest.substring(0, end), value, Long::sum);
            }
        });
        return found;
    }

    /** Returns the histogram under these words: bucket numbers and counts, in order. */
    SortedMap<Integer, Long> histogram(String... words) {
        TreeMap<Integer, Long> found = new TreeMap<>();
        below(words).forEach((bucket, count) -> found.put(Integer.valueOf(bucket), count));
        return found;
    }

    List<String> names() {
        return new ArrayList<>(sums.keySet());
    }
}
