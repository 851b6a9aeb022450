// SPDX-License-Identifier: Apache-2.0
package io.packing.options;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A set of configured values, checked against the known options.
 *
 * <p>Every key under the prefix must be a known option; an unknown one is refused by name, together with the nearest
 * valid key and the whole list. A key of an earlier version counts for the one that replaced it. Keys outside the
 * prefix belong to other readers and are ignored.
 */
public final class Options {
    private final Map<String, String> values;

    private Options(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    /**
     * Checks every key and every value.
     *
     * @throws IllegalArgumentException naming every unknown key and malformed value, a line each, and valid ones
     */
    public static Options check(Map<String, String> raw, String prefix, Collection<Option<?>> known) {
        Map<String, Option<?>> byKey = new LinkedHashMap<>();
        known.forEach(option -> byKey.put(option.key(), option));
        Map<String, String> replaced = replacements(known);
        Map<String, String> kept = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        raw.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                String now = replaced.getOrDefault(key, key);
                problem(now, value, byKey).ifPresentOrElse(problems::add, () -> {
                    if (kept.put(now, value) != null) {
                        problems.add(
                                "option %s stands there twice, once under a key of an earlier version".formatted(now));
                    }
                });
            }
        });
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
        return new Options(kept);
    }

    /** Returns the present keys by those of earlier versions. */
    private static Map<String, String> replacements(Collection<Option<?>> known) {
        Map<String, String> replacements = new LinkedHashMap<>();
        known.forEach(option -> option.replaced().forEach(old -> replacements.put(old, option.key())));
        return replacements;
    }

    /** Returns a warning for each key of an earlier version in use. */
    public static List<String> warnings(Map<String, String> raw, Collection<Option<?>> known) {
        List<String> warnings = new ArrayList<>();
        replacements(known).forEach((old, now) -> {
            if (raw.containsKey(old)) {
                warnings.add("option %s was replaced by %s; the old key is still taken".formatted(old, now));
            }
        });
        return warnings;
    }

    private static Optional<String> problem(String key, String value, Map<String, Option<?>> byKey) {
        Option<?> option = byKey.get(key);
        if (option == null) {
            return Optional.of("unknown option '%s'; did you mean '%s'? Valid options: %s"
                    .formatted(key, Nearest.to(key, byKey.keySet()), String.join(", ", new TreeSet<>(byKey.keySet()))));
        }
        try {
            option.parse(value);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the configured value, or the default. */
    public <T> T get(Option<T> option) {
        return option.parse(values.getOrDefault(option.key(), option.defaultText()));
    }

    /** Returns whether the user set this option. */
    public boolean isSet(Option<?> option) {
        return values.containsKey(option.key());
    }
}
