package io.packing.sim;

import java.util.Collection;
import java.util.Comparator;

/** The name that somebody probably meant. */
public final class Nearest {
    private Nearest() {}

    /** The known name with the fewest letters to change; empty when none is known. */
    public static String to(String name, Collection<String> known) {
        return known.stream()
                .min(Comparator.<String>comparingInt(other -> ConfigReader.distance(name, other))
                        .thenComparing(Comparator.naturalOrder()))
                .orElse("");
    }
}
