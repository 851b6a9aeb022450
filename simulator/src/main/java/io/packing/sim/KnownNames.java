package io.packing.sim;

import com.typesafe.config.Config;

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
                        .formatted(
                                entry.getKey(),
                                Nearest.to(
                                        entry.getKey(),
                                        defaults.entrySet().stream()
                                                .map(known -> known.getKey())
                                                .toList())));
            }
        }
    }
}
