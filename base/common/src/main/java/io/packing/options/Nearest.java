// SPDX-License-Identifier: Apache-2.0
package io.packing.options;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A search for the names that a user probably meant. */
public final class Nearest {
    private static final int ENOUGH = 3;

    private Nearest() {}

    /** Returns the known name with the fewest letters to change; empty when none is known. */
    public static String to(String name, Collection<String> known) {
        return order(name, known).stream().findFirst().orElse("");
    }

    /** Returns the known name with the fewest letters to change, if these are at most {@code most}. */
    public static Optional<String> within(int most, String name, Collection<String> known) {
        return order(name, known).stream().findFirst().filter(near -> distance(name, near) <= most);
    }

    /** Returns the nearest known names in quotes, the very nearest first: {@code 'size', 'bytes', 'files'}. */
    public static String namesTo(String name, Collection<String> known) {
        return order(name, known).stream()
                .limit(ENOUGH)
                .map(near -> "'" + near + "'")
                .collect(Collectors.joining(", "));
    }

    private static List<String> order(String name, Collection<String> known) {
        return known.stream()
                .sorted(Comparator.<String>comparingInt(other -> distance(name, other))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    /** Returns Levenshtein's distance. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
