package io.packing.sim.registry;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Which layers are taken into a cache before anybody asks for them. */
public enum Prediction {
    /** None. */
    NONE,
    /** Those that are pushed: P-PUT of the paper. */
    PUT,
    /** Those of a manifest that is pulled which its user has not pulled before: P-UB. */
    USER;

    /** The name in experiments. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The prediction of a name.
     *
     * @throws IllegalArgumentException with all names when there is none
     */
    public static Prediction named(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no prediction '%s'; there are %s"
                        .formatted(
                                label,
                                Arrays.stream(values()).map(Prediction::label).collect(Collectors.joining(", ")))));
    }
}
