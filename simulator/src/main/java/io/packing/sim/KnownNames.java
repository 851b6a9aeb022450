package io.packing.sim;

import com.typesafe.config.Config;
import java.util.Arrays;
import java.util.Comparator;

/** Refuses parameters that nobody reads, and names the nearest that somebody does. */
public final class KnownNames {
    private KnownNames() {}

    /**
     * Requires that every name is one of the defaults'.
     *
     * @throws IllegalArgumentException naming the first that is not
     */
    public static void check(Config changes, Config defaults) {
        for (var entry : changes.entrySet()) {
            if (!defaults.hasPathOrNull(entry.getKey())) {
                throw new IllegalArgumentException("stack: no parameter '%s'; the nearest is '%s'"
                        .formatted(entry.getKey(), nearest(entry.getKey(), defaults)));
            }
        }
    }

    private static String nearest(String name, Config defaults) {
        return defaults.entrySet().stream()
                .map(entry -> entry.getKey())
                .min(Comparator.<String>comparingInt(known -> distance(name, known))
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
