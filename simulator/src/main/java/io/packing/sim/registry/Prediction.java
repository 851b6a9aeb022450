// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.registry;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The rule that fetches layers into a cache before the first request for them. */
public enum Prediction {
    /** No layers. */
    NONE,
    /** The pushed layers: P-PUT of the paper. */
    PUT,
    /** The layers of a pulled manifest that its user has not pulled before: P-UB. */
    USER;

    /** Returns the name in experiments. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the prediction of a name.
     *
     * @throws IllegalArgumentException with all names, if none fits
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
