package io.packing.sim;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;

/** The name that somebody probably meant. */
public final class Nearest {
    private Nearest() {}

    /** The known name with the fewest letters to change; empty when none is known. */
    public static String to(String name, Collection<String> known) {
        return known.stream()
                .min(Comparator.<String>comparingInt(other -> distance(name, other))
                        .thenComparing(Comparator.naturalOrder()))
                .orElse("");
    }

    /** Levenshtein's distance. */
    static int distance(String a, String b) {
        var row = new int[b.length() + 1];
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
