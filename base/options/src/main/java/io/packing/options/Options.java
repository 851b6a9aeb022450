package io.packing.options;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * A set of configured values, checked against the options that exist.
 *
 * <p>Every key under the prefix must be a known option; an unknown one is refused by name, together with the nearest
 * valid key and the whole list. Keys outside the prefix belong to somebody else and are ignored.
 */
public final class Options {
    private final Map<String, String> values;

    private Options(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    /**
     * Checks every key and every value.
     *
     * @throws IllegalArgumentException naming the unknown key or malformed value and what would be valid
     */
    public static Options check(Map<String, String> raw, String prefix, Collection<Option<?>> known) {
        Map<String, Option<?>> byKey = new LinkedHashMap<>();
        known.forEach(option -> byKey.put(option.key(), option));
        Map<String, String> kept = new LinkedHashMap<>();
        raw.forEach((key, value) -> {
            if (!key.startsWith(prefix)) {
                return;
            }
            Option<?> option = byKey.get(key);
            if (option == null) {
                throw new IllegalArgumentException("unknown option '%s'; did you mean '%s'? Valid options: %s"
                        .formatted(
                                key, nearest(key, byKey.keySet()), String.join(", ", new TreeSet<>(byKey.keySet()))));
            }
            option.parse(value);
            kept.put(key, value);
        });
        return new Options(kept);
    }

    /** The configured value, or the default. */
    public <T> T get(Option<T> option) {
        return option.parse(values.getOrDefault(option.key(), option.defaultText()));
    }

    /** Whether the user set this option. */
    public boolean isSet(Option<?> option) {
        return values.containsKey(option.key());
    }

    private static String nearest(String key, Collection<String> candidates) {
        String best = "";
        int bestDistance = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            int distance = editDistance(key, candidate);
            if (distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return best;
    }

    private static int editDistance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int substitute = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(substitute, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
