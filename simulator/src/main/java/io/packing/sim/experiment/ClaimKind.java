// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import java.util.Arrays;
import java.util.Locale;

/** The kind of a claim: whether the model could have come to another number. */
enum ClaimKind {
    /** A figure that the model was given, or that decided one of its constants; it proves nothing when it comes out. */
    INPUT,
    /** A figure that follows from the inputs by arithmetic, without the caches, queues and devices of the model. */
    IDENTITY,
    /** A figure that the model was not given. */
    PREDICTION;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static ClaimKind named(String label) {
        return Arrays.stream(values())
                .filter(kind -> kind.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("claims.kind: no '%s'; there are %s"
                        .formatted(
                                label,
                                Arrays.stream(values()).map(ClaimKind::label).toList())));
    }
}
